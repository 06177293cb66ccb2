import { equalityOf } from '../model/join-term.js'
import { type RelationColumn, tablesIn } from '../resolve/relation-column.js'
import type { Bridge } from './bridge.js'
import { findsNearest } from './bridge-link.js'
import type { ConnectedRows } from './connected-rows.js'
import type { ReadExpr } from './read-column.js'
import type { GroupKey } from './read-connected.js'

/**
 * Whether a base row is in no group twice: its only bridge has a key of columns by which the row is linked and columns that are groups. A pair of a closure is one
 * for a row and its group, so that nothing has to be made distinct.
 */
export function meetsOnce({ base, bridges, facts }: ConnectedRows, groups: readonly GroupKey[]): boolean {
  const [bridge, ...others] = bridges
  const object = bridge && base.context.model.dataObjects.get(bridge.node)
  if (!bridge || !object || others.length > 0 || facts || object.key.length === 0) return false
  const linked = linkedColumns(bridge)
  const grouped = new Set(groups.flatMap(({ key, top }) => (top ? [] : ownColumn(key.expression, bridge))))
  return object.key.every((name) => {
    const source = object.columns.get(name)?.source
    return linked.includes(name) || (source?.kind === 'physical' && grouped.has(source.code))
  })
}

/** The columns of a bridge that a base row fixes. */
function linkedColumns({ link }: Bridge): readonly string[] {
  const [edge, ...more] = link
  if (edge?.kind !== 'join' || more.length > 0 || findsNearest(link)) return []
  return equalityOf(edge.on)?.map(({ from }) => from) ?? []
}

/** The stored column of the bridge that a group is, as it is stored. */
function ownColumn(group: ReadExpr, { node, rows }: Bridge): readonly string[] {
  const column = group.kind === 'of-bridge' && group.node === node ? group.value : group
  return column.kind === 'column' && isOf(column, rows.root.alias) ? [column.name] : []
}

const isOf = (column: RelationColumn, alias: string): boolean => column.stored === undefined && tablesIn(column).includes(alias)
