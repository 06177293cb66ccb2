/** WHERE and HAVING of a SELECT from one model: the filters of its query, and conditions that need finished rows. */

import { componentsOf, type FilterJson } from '@grainline/core/language'
import { attempt } from '../attempt.js'
import { bodyOf, type Node, nodesIn, notASubquery, type SelectStmt } from '../grammar/node.js'
import { quoted } from '../grammar/quoted.js'
import { isOfItsRows } from '../main-fact.js'
import { isAbout, isAggregate, type ModelRelation, placeIn, readsOf } from '../model-relation.js'
import { mainName } from '../model-scope.js'
import type { ExpressionReader, NameLeaf } from '../reader.js'
import { unsupported } from '../refusal.js'
import { conjunctsOf, constantTruth, filterOf } from './conditions.js'
import type { SelectColumns } from './select-columns.js'
import { addParts, refuseUngrouped } from './select-parts.js'

export interface Conditions {
  readonly where: readonly FilterJson[]
  readonly having: readonly FilterJson[]
  /** Conditions that need finished rows. */
  readonly conditions: readonly Node[]
  /** No row meets them, as `1 = 0` says. */
  readonly never: boolean
}

export function readConditions(stmt: SelectStmt, columns: SelectColumns, relation: ModelRelation): Conditions {
  const where: FilterJson[] = []
  const having: FilterJson[] = []
  const conditions: Node[] = []
  const answered = ofAnswer(columns, relation)
  let never = false
  for (const node of conjunctsOf(stmt.whereClause)) {
    if (isAbout(node, relation)) {
      addToRows(node, columns, relation)
      conditions.push(node)
      continue
    }
    const roles = new Set(readsOf(node, relation).map((each) => each.role))
    const truth = constantTruth(node, relation)
    never ||= truth === false
    if (truth === true) continue
    if (!roles.has('measure')) where.push(filterOf(node, relation))
    else having.push(filterOf(node, answered))
  }
  for (const node of conjunctsOf(stmt.havingClause)) {
    const truth = constantTruth(node, relation)
    never ||= truth === false
    if (truth === true) continue
    const filter = isAbout(node, relation) ? undefined : attempt(() => filterOf(node, answered))
    if (filter) having.push(filter)
    else conditions.push(node)
    if (!filter || columns.isEmpty) addParts(node, columns, relation)
  }
  return { where, having, conditions, never }
}

/** Reads conditions on the rows of the answer: measures and grouping keys. */
function ofAnswer(columns: SelectColumns, relation: ModelRelation): ExpressionReader {
  const grouped = (leaf: NameLeaf): boolean => leaf.role === 'measure' || columns.dimensionLabels.includes(leaf.text)
  return {
    ...relation,
    carries: () => true,
    name: (column) => {
      const leaf = relation.name(column)
      return grouped(leaf) ? leaf : refuseUngrouped({ ColumnRef: column }, relation)
    },
  }
}

/**
 * A condition of WHERE with a subquery. The rows of a group share what they are grouped by, so that a condition on that may wait until
 * the group is finished, as long as no number of the group depends on others.
 */
function addToRows(node: Node, columns: SelectColumns, relation: ModelRelation): void {
  if (aggregatesIn(node, relation))
    unsupported('WHERE', 'WHERE takes no aggregates', {
      at: placeIn(relation, node),
      rewrite: 'the condition into HAVING',
    })
  const reads = readsOf(node, relation)
  const isAboutMeasures = reads.some(({ role }) => role === 'measure')
  if (!isAboutMeasures) refuseOpenGroups(node, reads, columns, relation)
  addParts(node, columns, relation)
  if (!isAboutMeasures) refuseWiderMeasures(node, columns, relation)
}

function refuseOpenGroups(node: Node, reads: readonly NameLeaf[], columns: SelectColumns, relation: ModelRelation): void {
  const { dimensionLabels } = columns
  const open = reads.find(({ text }) => !dimensionLabels.includes(text))
  if (!open && dimensionLabels.length > 0) return
  const field = quoted(open?.text ?? [...relation.named.model.dimensions.keys()][0] ?? '')
  const model = quoted(mainName(relation.named))
  unsupported('WHERE', 'A subquery in WHERE can only restrict what the statement groups by', {
    at: placeIn(relation, node),
    rewrite: `SELECT sum(t.n) FROM (SELECT ${field}, … AS n FROM ${model} WHERE …) AS t, of a measure that adds up`,
  })
}

function refuseWiderMeasures(node: Node, { measures }: SelectColumns, relation: ModelRelation): void {
  const wider = measures.find((measure) => !standsAlone(measure, relation))
  if (wider === undefined) return
  unsupported('WHERE', `'${wider}' looks beyond its own row, which a subquery in WHERE would cut off`, {
    at: placeIn(relation, node),
    rewrite: 'the values themselves instead of the subquery: IN (…)',
  })
}

function aggregatesIn(node: Node, relation: ModelRelation): boolean {
  for (const each of nodesIn(node, notASubquery)) {
    const call = bodyOf(each, 'FuncCall')
    if (call && isAggregate(call, relation) && relation.measure(call) === undefined) return true
  }
  return false
}

/** True for a measure, or a metric of measures, whose value on a row depends on no other row. */
function standsAlone(name: string, relation: ModelRelation): boolean {
  const { measures, metrics } = relation.named.model
  const measure = measures.get(name)
  if (measure) return isOfItsRows(measure)
  const metric = metrics.get(name)
  return metric?.type === 'derived' && componentsOf(metric).every((each) => standsAlone(each, relation))
}
