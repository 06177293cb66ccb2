/** The parts of an expression over finished rows. */

import { firstOf } from '@grainline/core'
import { bodiesOf, bodyOf, functionName, type Node, nodesIn, notASubquery } from '../grammar/node.js'
import { quoted } from '../grammar/quoted.js'
import { filteredMeasure, isAggregate, type ModelRelation, placeIn, readsOf } from '../model-relation.js'
import { mainName } from '../model-scope.js'
import { unsupported } from '../refusal.js'
import type { OwnQuery, SelectColumns } from './select-columns.js'
import { aggregatedDimension } from './value-aggregates.js'

/** Adds the columns that it reads. A dimension in it must be grouped by, unless it is aggregated. */
export function addParts(node: Node, columns: SelectColumns, relation: ModelRelation): void {
  const inside = new Set<Node>()
  for (const each of nodesIn(node, notASubquery)) {
    if (inside.has(each)) continue
    const own = ownQuery(each, relation)
    if (own) {
      columns.addValues(own)
      for (const part of nodesIn(each)) inside.add(part)
      continue
    }
    refuseAdding(each, relation)
    const isPart = 'ColumnRef' in each || 'FuncCall' in each || columns.labelOf(each) !== undefined
    const role = isPart ? columns.roleOf(each) : 'rows'
    const known = role !== 'rows' && columns.labelOf(each) !== undefined
    if (known || role === 'measure' || role === 'column') {
      for (const part of nodesIn(each)) inside.add(part)
      if (role === 'measure' || role === 'column') columns.add(each, role)
    } else if (role === 'dimension' && 'ColumnRef' in each) refuseUngrouped(each, relation)
  }
}

/** The part that needs a separate query; `undefined` for everything else. */
function ownQuery(node: Node, relation: ModelRelation): OwnQuery | undefined {
  const aggregated = aggregatedDimension(node, relation)
  const measure = aggregated ? undefined : filteredMeasure(node, relation)
  if (!aggregated && !measure) return undefined
  const filter = bodyOf(node, 'FuncCall')?.agg_filter
  if (readsOf(filter, relation).some(({ role }) => role === 'measure'))
    unsupported('FILTER', 'FILTER chooses rows, and no row has a value of a measure', {
      at: placeIn(relation, filter),
      rewrite: 'a condition over dimensions, or HAVING',
    })
  if (!measure) return { node, filter, ...aggregated! }
  const isCount = COUNTS.has(relation.named.model.measures.get(measure.text)?.aggregation ?? '')
  return { node, filter, measure, isCount }
}

const COUNTS: ReadonlySet<string> = new Set(['count', 'count_distinct', 'count_if', 'approx_count_distinct'])

/** Aggregates of the rows of a dimension, such as its sum: a model has no such rows to sum. */
function refuseAdding(node: Node, relation: ModelRelation): void {
  const call = bodyOf(node, 'FuncCall')
  if (!call || call.over || !isAggregate(call, relation) || relation.measure(call)) return
  const operands = [...(call.args ?? []), ...bodiesOf(call.agg_order, 'SortBy').map((sort) => sort.node)]
  const dimension = operands.flatMap((arg) => readsOf(arg, relation)).find(({ role }) => role === 'dimension')
  if (!dimension) return
  const name = functionName(call.funcname).toUpperCase()
  const [field, model] = [quoted(dimension.text), quoted(mainName(relation.named))]
  const written = call.agg_within_group ? `${name}(…) WITHIN GROUP (ORDER BY t.v)` : `${name}(t.v)`
  const message = `${name} reads rows, and the dimension '${dimension.text}' has values only; a measure in the model reads those of all rows`
  unsupported('aggregate', message, {
    at: relation.sql.place(call.location),
    rewrite: `${written} FROM (SELECT DISTINCT ${field} AS v FROM ${model}) AS t`,
  })
}

export function refuseUngrouped(node: Node, relation: ModelRelation): never {
  const { text } = firstOf(readsOf(node, relation))
  return unsupported('SELECT', `'${text}' is neither selected by itself nor in GROUP BY`, {
    at: placeIn(relation, node),
    rewrite: `"${text}" into the SELECT list or into GROUP BY`,
  })
}
