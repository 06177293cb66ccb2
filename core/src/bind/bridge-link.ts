import { fail } from '../errors.js'
import { firstOf, itemAt, lastOf } from '../invariant.js'
import { allOf, binary, integer, isNull } from '../resolve/expressions.js'
import type { Pair } from '../resolve/join-graph.js'
import { relationColumn } from '../resolve/relation-column.js'
import { columnOf, objectOf } from '../resolve/resolved-query.js'
import type { TypedExpr } from './bound-block.js'
import { type Bridge, readOfBridge } from './bridge.js'
import type { ReadExpr } from './read-column.js'
import { readColumn } from './read-rows.js'
import type { Role } from './role.js'
import { type Rows, roleAt } from './rows.js'

/** Equality of the last link of the path with the columns of its target. Throws `KEY_REQUIRED`. */
export function linkCondition(bridge: Bridge): ReadExpr {
  const { far, near } = linkColumns(bridge)
  const terms = far.map(({ expression, type }, i) =>
    binary('=', readTarget(bridge, itemAt(near, i)), readOfBridge(bridge, expression, type)),
  )
  return allOf(terms)!
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

function readTarget({ parent, to: { rows, role } }: Bridge, name: string): ReadExpr {
  const { expression, type } = typedColumn(rows, role, name)
  return parent ? readOfBridge(parent, expression, type) : expression
}

/** The columns by which a bridge is linked, and the equal columns of its parent. */
function linkColumns({ rows, link, byKey }: Bridge): { readonly far: readonly TypedExpr[]; readonly near: readonly string[] } {
  const last = lastOf(link)
  const pair = rows.context.graph.pairs.get(last.from)
  const read = (role: Role, names: readonly string[]) => names.map((name) => typedColumn(rows, role, name))
  if (byKey) {
    const key = keyOf(rows, last.to)
    return { far: read(roleAt(rows, link), key), near: key }
  }
  const role = roleAt(rows, pair ? [] : link.slice(0, -1))
  const { far, near } = pair ? linkColumnsOf(pair, last.to) : { far: last.columnsFrom, near: last.columnsTo }
  return { far: read(role, far), near }
}

const typedColumn = (rows: Rows, role: Role, column: string): TypedExpr => ({
  expression: readColumn(rows, role, column),
  type: columnOf(rows.context.model, { kind: 'column', object: role.object, column }).type,
})

function keyOf({ context: { model } }: Rows, object: string): readonly string[] {
  const { key } = objectOf(model, object)
  if (key.length > 0) return key
  return fail(
    'KEY_REQUIRED',
    `rows of '${object}' must be told apart to follow its many-to-many join; mark its key with primaryKey`,
  )
}

/** The columns of a pair that are joined from outside at the object `near`, and those of the other object. */
export const linkColumnsOf = ({ left, columnsLeft, columnsRight }: Pair, near: string) =>
  near === left ? { far: columnsRight, near: columnsLeft } : { far: columnsLeft, near: columnsRight }
