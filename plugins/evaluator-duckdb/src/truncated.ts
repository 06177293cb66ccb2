import type { WeekStart } from '@grainline/core/vendor'

const LITERAL = /^'(?:[^']|'')*'$/

/**
 * The first moment of a period, in the type of its time: a period is what the clocks showed. DuckDB's own truncation of an instant counts an hour
 * that the clocks showed twice as the second one, and reads a local time that occurs twice as the second instant. A
 * week that begins on Sunday is one that begins on Monday, shifted by a day in both directions. Arguments are written once.
 */
export function truncated([unit = '', moment = '']: readonly string[], weekStart: WeekStart = 'monday'): string {
  const time = LITERAL.test(moment) ? `CAST(${moment} AS TIMESTAMP)` : moment
  // The optimizer takes `DATE_TRUNC('month', NULL) <> TIMESTAMP '2024-03-04'` for true, because no month begins then; not behind COALESCE.
  const wall = 'CAST(t.x AS TIMESTAMP)'
  const first = weekStart === 'monday' ? `DATE_TRUNC(t.u, ${wall})` : `(DATE_TRUNC(t.u, ${wall} + ${SHIFTED}) - ${SHIFTED})`
  const local = `COALESCE(${first}, NULL)`
  return firstOfTwo(`LIST_TRANSFORM([{u: ${unit}, x: ${time}}], lambda t: CASE WHEN FALSE THEN t.x ELSE ${local} END)[1]`)
}

/** An instant, or the earlier one with the same local time: by the offset of the day before. A time without a zone is unchanged. */
const firstOfTwo = (instant: string): string => `LIST_TRANSFORM([{r: ${instant}}], lambda v: ${EARLIER})[1]`

/** Other units are not shifted. */
const SHIFTED = `CASE WHEN LOWER(t.u) IN ('week', 'weeks', 'w', 'yearweek') THEN INTERVAL 1 DAY ELSE INTERVAL 0 DAY END`

const MICROS_PER_DAY = 86_400_000_000
const SHIFT = `TO_MICROSECONDS(EPOCH_US(CAST(v.r AS TIMESTAMP)) - EPOCH_US(CAST(v.r - INTERVAL '24 hours' AS TIMESTAMP)) - ${MICROS_PER_DAY})`
const EARLIER = `LIST_TRANSFORM([v.r + ${SHIFT}], lambda f: CASE WHEN CAST(f AS TIMESTAMP) = CAST(v.r AS TIMESTAMP) THEN f ELSE v.r END)[1]`
