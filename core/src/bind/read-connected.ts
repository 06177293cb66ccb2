import type { NonEmpty } from '../invariant.js'
import { INT } from '../model/data-type.js'
import { type ColumnRef, type Expr, mapLeaves } from '../model/expression/ast.js'
import { madeOf } from '../relation/relation.js'
import { groupedBy } from '../resolve/bucket.js'
import { coalesce, isNotNull } from '../resolve/expressions.js'
import { locate, membersFor } from '../resolve/locate.js'
import { relationColumn } from '../resolve/relation-column.js'
import { columnOf, type FieldSource, type ResolvedDimension, type WhereLeaf } from '../resolve/resolved-query.js'
import { equal } from '../resolve/row-terms.js'
import type { BoundTopValues, NamedExpr } from './bound-block.js'
import { type Bridge, readOfBridge } from './bridge.js'
import type { ConnectedRows } from './connected-rows.js'
import { broughtBy } from './facts.js'
import type { ReadColumn, ReadExpr } from './read-column.js'
import { readExists } from './read-exists.js'
import { readPeriodEnd } from './read-period-end.js'
import { readField } from './read-rows.js'

/** A where expression over base rows and their connections. */
export const readWhere = (connected: ConnectedRows, expression: Expr<WhereLeaf>, path: string): ReadExpr =>
  mapLeaves<WhereLeaf, ReadColumn>(expression, (leaf) => {
    if (leaf.kind === 'where-field') return readMembers(connected, leaf.members, path)
    if (leaf.kind === 'where-period-end') return readPeriodEnd(connected.base, leaf)
    const bridge = bridgeTo(connected, leaf.subject, path)
    const hit = readExists(bridge?.rows ?? connected.base, leaf)
    return isNotNull(bridge ? readOfBridge(bridge, hit, INT) : hit)
  })

/** A column of the model, wherever it is reached. Measure filters read it. */
export function readReached(connected: ConnectedRows, ref: ColumnRef, path: string): ReadExpr {
  const { type } = columnOf(connected.base.context.model, ref)
  return readValue(
    connected,
    { name: `${ref.object}.${ref.column}`, object: ref.object, via: undefined, expression: ref, type },
    path,
  )
}

/** The value by which rows are grouped, and the join that it needs if only some values are separate groups. */
export interface GroupKey {
  readonly key: NamedExpr<ReadColumn>
  readonly top: BoundTopValues<ReadColumn> | undefined
}

/** A dimension as a grouping key. A dimension that facts provide is bucketed there. */
export function readDimension(connected: ConnectedRows, dimension: ResolvedDimension): GroupKey {
  const { name, type, members, expression, path } = dimension
  const brought = connected.facts && broughtBy(connected.facts, dimension)
  if (brought) return { key: { name, type, expression: brought }, top: undefined }
  const plain = expression ? readWhere(connected, expression, path) : readMembers(connected, members, path)
  const value = groupedBy(plain, members[0].type, dimension, connected.base.context.time)
  return dimension.top ? amongTop(connected, dimension, value) : { key: { name, type, expression: value }, top: undefined }
}

/** Grouped by the value itself if it is one of the top values, else by NULL. */
function amongTop({ base }: ConnectedRows, { name, label, type, top }: ResolvedDimension, value: ReadExpr): GroupKey {
  const alias = madeOf('top', '_value', [base.node])
  const own = relationColumn(alias, name, type)
  const onlyTop = top?.others === undefined
  const reason = onlyTop ? 'only rows of the top values' : 'rows of all other values are one group'
  const joined = { alias, on: [equal(value, own)], label: { from: '', to: label, columns: [], reason } }
  return { key: { name, type, expression: own }, top: { type: onlyTop ? 'inner' : 'left', ...joined } }
}

/** A field, or the members of a coalesce field that this base uses. It must be located first. */
function readMembers(connected: ConnectedRows, members: NonEmpty<FieldSource>, path: string): ReadExpr {
  const { node, context } = connected.base
  const used = membersFor(node, members, context.graph, path) ?? []
  return coalesce(...used.map((member) => readValue(connected, member, path)))
}

function readValue(connected: ConnectedRows, field: FieldSource, path: string): ReadExpr {
  const bridge = bridgeTo(connected, field, path)
  return bridge ? readOfBridge(bridge, readField(bridge.rows, field), field.type) : readField(connected.base, field)
}

function bridgeTo({ base, bridges }: ConnectedRows, field: FieldSource, path: string): Bridge | undefined {
  const location = locate(base.node, field, base.context.graph, path)
  return location?.kind === 'bridge' ? bridges.find(({ node }) => node === location.node) : undefined
}
