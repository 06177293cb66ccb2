import type { RowColumn } from '../bind/bound-block.js'
import type { Leg } from '../plan/logical-plan.js'
import { allOf, coalesce, integer, sameOrBothNull } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import type { Columns } from './draft.js'
import type { From, SqlExpr, SqlLeaf } from './statement.js'

/**
 * Joins aggregated facts: those that create rows by full joins, and the others by lookups for these rows. Each fact has every key at most
 * once, so no row matches two. A row that a fact lacks has its key from the facts before.
 */
export function joinLegs(
  making: readonly Leg[],
  others: readonly Leg[],
  keys: readonly RowColumn[],
): { readonly from: From; readonly columns: Columns } {
  const legs = [...making, ...others]
  const froms = legs.map(({ name }): From => ({ kind: 'cte', name, alias: name }))
  const from = froms.reduce((left, right, i) => ({
    kind: 'join',
    type: i < making.length ? 'full' : 'left',
    left,
    right,
    on: allOf(keys.map((key) => sameOrBothNull(keyOf(making.slice(0, i), key), keyOf(legs.slice(i, i + 1), key)))),
  }))
  const values = legs.flatMap((leg) => leg.values.map((value) => [value.name, valueIn(value, leg, making)] as const))
  return { from, columns: new Map([...keys.map((key) => [key.name, keyOf(making, key)] as const), ...values]) }
}

const keyOf = (legs: readonly Leg[], { name, type }: RowColumn): SqlExpr =>
  coalesce<SqlLeaf>(...legs.map((leg) => relationColumn(leg.name, name, type)))

/** The only fact that creates rows has a value in each of them. */
const valueIn = (value: Leg['values'][number], leg: Leg, making: readonly Leg[]): SqlExpr =>
  making.length === 1 && leg === making[0] ? relationColumn(leg.name, value.name, value.type) : foundValue(value, leg.name)

/** A value that a row of another relation has or lacks: a count of a missing row is 0. */
export function foundValue({ name, type, emptyIsZero }: Leg['values'][number], from: string): SqlExpr {
  const column = relationColumn(from, name, type)
  return emptyIsZero ? coalesce<SqlLeaf>(column, integer(0)) : column
}
