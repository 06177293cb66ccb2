import { firstOf, itemAt, lastOf } from '../invariant.js'
import { BOOLEAN, type DataType } from '../model/data-type.js'
import { allOf, binary, integer, isNull } from '../resolve/expressions.js'
import type { Pair } from '../resolve/join-graph.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { columnOf } from '../resolve/resolved-query.js'
import type { TypedExpr } from './bound-block.js'
import { type Bridge, readOfBridge } from './bridge.js'
import type { ReadExpr } from './read-column.js'
import { readColumn } from './read-rows.js'
import type { Role } from './role.js'
import { type Rows, roleAt } from './rows.js'

/** Equality of the last link of the path with the columns of its target, and the conditions on the target. */
export function linkCondition(bridge: Bridge): ReadExpr {
  const { far, near } = linkColumns(bridge)
  const terms = far.map(({ expression, type }, i) =>
    binary('=', readColumnOfTarget(bridge, itemAt(near, i)), readOfBridge(bridge, expression, type)),
  )
  return allOf([...terms, ...bridge.conditionsOnTarget.map((condition) => readOfTarget(bridge, condition, BOOLEAN))])!
}

/** The weight of a connection of one bridge; `undefined` if it has no weights. A base row without a row of the bridge counts in full. */
export function weightOf(bridge: Bridge): ReadExpr | undefined {
  const { weight, alias } = bridge
  if (!weight) return undefined
  const link = firstOf(linkColumns(bridge).far)
  const { expression, type, sum } = weight
  const own = sum === undefined ? readOfBridge(bridge, expression, type) : relationColumn(alias!, sum, type)
  const isMissing = isNull(readOfBridge(bridge, link.expression, link.type))
  return { kind: 'case', branches: [{ when: isMissing, then: integer(1) }], otherwise: own }
}

function readColumnOfTarget(bridge: Bridge, name: string): ReadExpr {
  const { expression, type } = typedColumn(bridge.to.rows, bridge.to.role, name)
  return readOfTarget(bridge, expression, type)
}

const readOfTarget = ({ parent }: Bridge, value: RowExpr, type: DataType): ReadExpr =>
  parent ? readOfBridge(parent, value, type) : value

/** The columns of a bridge that are a foreign key. */
export function referringColumns(bridge: Bridge): readonly RelationColumn[] {
  const { link, conditionsOnTarget } = bridge
  if (link.length > 1 || !firstOf(link).foreignKey || conditionsOnTarget.length > 0) return []
  const own = linkColumns(bridge).far.map(({ expression }) => expression)
  return own.every((one) => one.kind === 'column') ? own : []
}

/** The columns by which a bridge is linked, and the equal columns of its parent. */
function linkColumns({ rows, link }: Bridge): { readonly far: readonly TypedExpr[]; readonly near: readonly string[] } {
  const last = lastOf(link)
  const pair = rows.context.graph.pairs.get(last.from)
  const read = (role: Role, names: readonly string[]) => names.map((name) => typedColumn(rows, role, name))
  const role = roleAt(rows, pair ? [] : link.slice(0, -1))
  const { far, near } = pair ? linkColumnsOf(pair, last.to) : { far: last.columnsFrom, near: last.columnsTo }
  return { far: read(role, far), near }
}

const typedColumn = (rows: Rows, role: Role, column: string): TypedExpr => ({
  expression: readColumn(rows, role, column),
  type: columnOf(rows.context.model, { kind: 'column', object: role.object, column }).type,
})

/** The columns of a pair that are joined from outside at the object `near`, and those of the other object. */
export const linkColumnsOf = ({ left, columnsLeft, columnsRight }: Pair, near: string) =>
  near === left ? { far: columnsRight, near: columnsLeft } : { far: columnsLeft, near: columnsRight }
