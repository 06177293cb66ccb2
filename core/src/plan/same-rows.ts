import { anyOf } from '../resolve/expressions.js'
import type { RowExpr } from '../resolve/relation-column.js'
import { includesSame, isSame, unlike } from '../same.js'
import { type JoinedRows, joinedRowsOf, relationOf } from './joined-rows.js'
import { isKnownJoin, isModelJoin } from './known-join.js'
import type { Aggregate, Join, Scan } from './logical-plan.js'

/** The rows of one table, each once, perhaps with the group of top values that it is in. */
export interface SingleRows extends JoinedRows {
  readonly start: Scan
}

export function singleRowsOf({ input, sets }: Aggregate): SingleRows | undefined {
  const rows = joinedRowsOf(input)
  const { start } = rows
  return !sets && start.kind === 'scan' && rows.joins.every((join) => isOfTopValues(join) || (join.findsOne && isKnownJoin(join)))
    ? { ...rows, start }
    : undefined
}

/** A row is in one group of values, or in that of all others. */
export const isOfTopValues = ({ type, right }: Join): boolean => type === 'left' && right.kind === 'top-values'

/** Whether two row sets have the same joined rows, but for joins that neither leave out nor repeat a row, and that only one of them has. */
export const isOfSameRows = (a: SingleRows, b: SingleRows): boolean =>
  isSame(a.start, b.start) && missingJoins(a, b).every(addsNoRows) && missingJoins(b, a).every(addsNoRows) && !hasOtherJoin(a, b)

/** The joins that other rows lack. */
export const missingJoins = (of: SingleRows, others: SingleRows): readonly Join[] =>
  of.joins.filter((join) => !others.joins.some((other) => isSameJoin(join, other)))

const isSameJoin = (a: Join, b: Join): boolean => a.type === b.type && isSame(a.right, b.right) && isSame(a.on, b.on)

const addsNoRows = (join: Join): boolean => join.type === 'left' && (isModelJoin(join) || isOfTopValues(join))

/** One name for two relations. */
const hasOtherJoin = (a: SingleRows, b: SingleRows): boolean => {
  const names = new Set(b.joins.map(relationOf))
  return missingJoins(a, b).some((join) => names.has(relationOf(join)))
}

/**
 * The conditions on the rows of an aggregation, without that which only requires that some aggregate counts a row: a group without such rows has no value, or a
 * count of 0, anyway.
 */
export function conditionsOf(
  { aggregates }: Pick<Aggregate, 'aggregates'>,
  { filters }: Pick<JoinedRows, 'filters'>,
): readonly RowExpr[] {
  const counted = unlike(aggregates.flatMap(({ filter }) => filter ?? []))
  const isFiltered = aggregates.length > 0 && aggregates.every(({ filter }) => filter)
  const any = isFiltered ? anyOf(counted) : undefined
  return filters.flatMap(({ condition }) => (any && isSame(condition, any) ? [] : [condition]))
}

/** The conditions that others lack. */
export const conditionsBeside = (own: readonly RowExpr[], others: readonly RowExpr[]): readonly RowExpr[] =>
  own.filter((condition) => !includesSame(others, condition))
