/** DISTINCT ON: of the rows that share some values, only the first in the order of the statement. */
import { bodiesOf, type Node, type SelectStmt } from '../grammar/node.js'
import { withoutPlaces } from '../grammar/without-places.js'
import { type ModelRelation, placeIn } from '../model-relation.js'
import { unsupported } from '../refusal.js'
import type { Target } from '../targets.js'
import { orderedItem } from './named-items.js'
import type { SelectColumns } from './select-columns.js'
import { addParts } from './select-parts.js'

/** True for DISTINCT with its own expressions. */
export const isDistinctOn = ({ distinctClause = [] }: SelectStmt): boolean =>
  distinctClause.some((each) => Object.keys(each).length > 0)

interface Read {
  readonly targets: readonly Target[]
  readonly columns: SelectColumns
  readonly relation: ModelRelation
}

/**
 * Its expressions; none without ON. Without groups or measures the SELECT returns rows of the fact, so that its keys and its order may be
 * dimensions that it does not show.
 */
export function readDistinctOn(stmt: SelectStmt, { targets, columns, relation }: Read): readonly Node[] {
  if (!isDistinctOn(stmt)) return []
  const meant = (node: Node): Node => orderedItem(node, targets, relation)
  const keys = (stmt.distinctClause ?? []).map(meant)
  const sorts = bodiesOf(stmt.sortClause, 'SortBy').map(({ node }) => meant(node))
  const isOfRows = !stmt.groupClause && columns.measures.length + columns.values.length + columns.fields.length === 0
  for (const node of [...keys, ...sorts]) {
    if (isOfRows && columns.roleOf(node) === 'dimension') columns.add(node, 'dimension')
    else if (columns.labelOf(node) === undefined && !targets.some((target) => target.node === node))
      addParts(node, columns, relation)
  }
  refuseOtherOrder(keys, sorts, { columns, relation })
  return keys
}

/** As in PostgreSQL, the order begins with the keys: otherwise no row would be the first of its kind. */
function refuseOtherOrder(keys: readonly Node[], sorts: readonly Node[], { columns, relation }: Omit<Read, 'targets'>): void {
  const identity = (node: Node): string => columns.labelOf(node) ?? JSON.stringify(withoutPlaces(node))
  const known = new Set(keys.map(identity))
  const other = sorts.slice(0, known.size).find((node) => !known.has(identity(node)))
  if (!other) return
  unsupported('DISTINCT ON', 'ORDER BY must begin with the expressions of DISTINCT ON', {
    at: placeIn(relation, other),
    rewrite: 'ORDER BY with these expressions first',
  })
}
