import { type JoinedRows, joinedRowsOf } from './joined-rows.js'
import { isKnownJoin } from './known-join.js'
import type { Aggregate, Scan } from './logical-plan.js'

/** The rows of one table, each with at most one row of each joined relation. */
export interface PlainRows extends JoinedRows {
  readonly start: Scan
}

/** What an aggregation reads, if every row of one table counts once in it; `undefined` for other rows, and for grouping sets. */
export function plainRowsOf({ input, sets }: Aggregate): PlainRows | undefined {
  const rows = joinedRowsOf(input)
  const { start } = rows
  return !sets && start.kind === 'scan' && rows.joins.every((join) => join.findsOne && isKnownJoin(join))
    ? { ...rows, start }
    : undefined
}
