/** The SELECT list and GROUP BY of a SELECT from one model. */

import { firstOf, GrainlineError } from '@grainline/core'
import type { QueryJson } from '@grainline/core/language'
import { attempt } from '../attempt.js'
import type { Node, SelectStmt } from '../grammar/node.js'
import { type ModelRelation, placeIn, readsOf } from '../model-relation.js'
import { unsupported } from '../refusal.js'
import type { Target } from '../targets.js'
import { type GroupBy, groupByOf, shapeOf } from './group-by.js'
import { groupedItem } from './named-items.js'
import type { SelectColumns } from './select-columns.js'
import { addParts } from './select-parts.js'

/** One item of the SELECT list. */
export interface SelectItem {
  readonly node: Node
  /** Its name in the answer. */
  readonly name: string
  /** The column of the query's answer that it shows; `undefined` if it is computed from several. */
  readonly column: string | undefined
}

/** The items of a SELECT and their model. */
interface Grouped {
  readonly targets: readonly Target[]
  readonly relation: ModelRelation
  readonly columns: SelectColumns
}

/** Throws for keys that are not dimensions. */
export function readGroupBy(
  stmt: SelectStmt,
  { targets, relation, columns }: Grouped,
  trailing: 'rollup' | 'cube' | undefined,
): GroupBy | undefined {
  const place = (node: Node) => placeIn(relation, node)
  const identity = (node: Node): string => {
    const role = columns.roleOf(node)
    if (role === 'dimension') return columns.identityOf(node)
    if (role === 'column') return JSON.stringify(node)
    const isMeasure = role === 'measure' && `'${firstOf(readsOf(node, relation)).text}' is a measure, which cannot be grouped by`
    return unsupported('GROUP BY', isMeasure || 'GROUP BY takes dimensions and expressions over them', { at: place(node) })
  }
  const meant = (node: Node): Node => groupedItem(node, targets, relation)
  const groupBy = groupByOf(stmt.groupClause, trailing, { meant, identity, place })
  if (groupBy?.keys.some((key) => columns.roleOf(key) === 'column')) {
    unsupported('GROUP BY', 'Detail rows are not grouped', {
      at: place(firstOf(groupBy.keys)),
      rewrite: 'SELECT … FROM (SELECT … FROM model) AS t GROUP BY …, or dimensions and measures',
    })
  }
  return groupBy
}

/** If the statement has GROUP BY, its order counts: it is the order of a rollup. */
export function readItems(
  targets: readonly Target[],
  groupBy: GroupBy | undefined,
  columns: SelectColumns,
  relation: ModelRelation,
): SelectItem[] {
  const grouped =
    groupBy && new Set(groupBy.keys.filter((key) => columns.roleOf(key) === 'dimension').map((key) => columns.identityOf(key)))
  const wanted = (key: Node): string | undefined => targets.find((target) => target.node === key)?.name
  if (groupBy?.levels) for (const key of groupBy.keys) columns.add(key, 'dimension', wanted(key))
  const items = targets.map(({ node, name }) => {
    const role = columns.roleOf(node)
    const isColumn =
      role === 'measure' || role === 'column' || (role === 'dimension' && (!grouped || grouped.has(columns.identityOf(node))))
    return { node, name, column: isColumn ? columns.add(node, role, name) : undefined }
  })
  for (const key of groupBy?.keys ?? []) if (columns.roleOf(key) === 'dimension') columns.add(key, 'dimension')
  return groupBy?.levels ? items : items.map((item) => (item.column === undefined ? ofKeys(item, columns, relation) : item))
}

/** An expression over keys only is one more dimension: it creates no more groups. */
function ofKeys(item: SelectItem, columns: SelectColumns, relation: ModelRelation): SelectItem {
  const { node, name } = item
  if (columns.roleOf(node) !== 'dimension') return item
  const column = attempt(() => {
    addParts(node, columns, relation)
    return columns.add(node, 'dimension', name)
  })
  return { ...item, column }
}

/** The levels as rollup or cube if possible, else as sets. SQL repeats the rows of a repeated set; a query does not. */
export function groupingOf(
  groupBy: GroupBy | undefined,
  columns: SelectColumns,
  at: ReturnType<typeof placeIn>,
): QueryJson['grouping'] {
  if (!groupBy?.levels) return undefined
  const shape = shapeOf(groupBy)
  if (shape) return shape
  const sets = groupBy.levels.map((level) => level.map((key) => columns.labelOf(groupBy.keys[key]!)!))
  if (new Set(sets.map((set) => JSON.stringify(set.toSorted()))).size < sets.length) {
    unsupported('GROUPING SETS', 'One of these levels is written twice', { at, rewrite: 'each level once' })
  }
  return { sets }
}

/** Throws where a SELECT mixes detail rows and grouped rows. */
export function refuseMixed(targets: readonly Target[], relation: ModelRelation): void {
  const roles = targets.flatMap(({ node }) => readsOf(node, relation).map((leaf) => ({ node, leaf })))
  const column = roles.find(({ leaf }) => leaf.role === 'column')
  const other = roles.find(({ leaf }) => leaf.role !== 'column')
  if (!column || !other) return
  throw new GrainlineError(
    'MIXED_RAW_AND_AGGREGATE_MODE',
    `'${column.leaf.text}' asks for detail rows and '${other.leaf.text}' for grouped ones; ask for one of the two`,
    { path: 'sql', context: { clause: 'SELECT', ...placeIn(relation, other.node) } },
  )
}
