/** What an expression over finished rows is made of. */
import { isAggregate, type ModelRelation, placeIn, readsOf } from './model-relation.js'
import { bodyOf, functionName, type Node, nodesIn, notASubquery } from './node.js'
import { quoted } from './quoted.js'
import { unsupported } from './refusal.js'
import type { SelectColumns } from './select-columns.js'
import { aggregatedDimension } from './value-aggregates.js'

/** Adds the columns that it reads. A dimension in it must be grouped by, unless it is aggregated. */
export function addParts(node: Node, columns: SelectColumns, relation: ModelRelation): void {
  const inside = new Set<Node>()
  for (const each of nodesIn(node, notASubquery)) {
    if (inside.has(each)) continue
    const aggregated = aggregatedDimension(each, relation)
    if (aggregated) {
      columns.addValues(each, aggregated)
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

/** Aggregates of the rows of a dimension, such as its sum: a model has no such rows to add up. */
function refuseAdding(node: Node, relation: ModelRelation): void {
  const call = bodyOf(node, 'FuncCall')
  if (!call || call.over || !isAggregate(call, relation) || relation.measure(call)) return
  const dimension = (call.args ?? []).flatMap((arg) => readsOf(arg, relation)).find(({ role }) => role === 'dimension')
  if (!dimension) return
  const name = functionName(call.funcname).toUpperCase()
  const [field, model] = [dimension.text, relation.named.names[0]!].map(quoted)
  unsupported('aggregate', `${name} reads rows, and the dimension '${dimension.text}' has values only`, {
    at: relation.sql.place(call.location),
    rewrite: name === 'COUNT' ? `COUNT(DISTINCT ${field})` : `${name}(t.v) FROM (SELECT ${field} AS v FROM ${model}) AS t`,
  })
}

export function refuseUngrouped(node: Node, relation: ModelRelation): never {
  const { text } = readsOf(node, relation)[0]!
  return unsupported('SELECT', `'${text}' is neither selected by itself nor in GROUP BY`, {
    at: placeIn(relation, node),
    rewrite: `"${text}" into the SELECT list or into GROUP BY`,
  })
}
