import { dimensionsOf, grainOf, isFilter, nameOf, type Query, withFilter, withFilters } from './query.js'

interface Clicked {
  /** The answered query: its grain produced the value. */
  readonly answered: Query
  /** The name of the column: `Date:month` if the query has a grain. */
  readonly name: string
  readonly value: string | number | boolean | null
  /** Otherwise everything except the value. */
  readonly only: boolean
}

/** The query with the filter of a click on a value of its answer. */
export function withClicked(query: Query, { answered, name, value, only }: Clicked): Query {
  const pick = dimensionsOf(answered).find((each) => each === name || nameOf(each) === name)
  const field = pick === undefined ? name : nameOf(pick)
  if (value === null) return withFilter(query, 'where', { field, op: only ? 'is_null' : 'is_not_null' })
  const grain = pick === undefined ? undefined : grainOf(pick)
  const next = grain === undefined ? undefined : endOf(String(value), grain)
  if (next === undefined) {
    const filter = only ? { field, op: 'in', value: [value] } : { field, op: 'not_in', value: [value], or_missing: true }
    return withFilter(query, 'where', filter)
  }
  // Conditions compare at the grain of the model, so a month of the query means all its days.
  const from = { field, op: 'gte', value }
  const to = { field, op: 'lt', value: next }
  if (only) return withFilter(withFilter(query, 'where', from), 'where', to)
  const others = (query.where ?? []).filter((each) => !isFilter(each) || each.field !== field)
  return withFilters(query, 'where', [...others, { logic: 'and', filters: [from, to], negated: true, or_missing: true }])
}

const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 }
const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }

/** The start of the next period, in the format of the value; undefined unless it is a date or a timestamp without zone. */
function endOf(start: string, grain: string): string | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)[.\d]*)?$/.exec(start)
  if (parts === null) return undefined
  const end = new Date(`${parts[1]}T${parts[2] ?? '00:00:00'}Z`)
  const months = MONTHS[grain]
  if (months === undefined) end.setTime(end.getTime() + SECONDS[grain]! * 1000)
  else end.setUTCMonth(end.getUTCMonth() + months)
  const written = end.toISOString()
  return written.length > 24 ? undefined : written.slice(0, parts[2] === undefined ? 10 : 19)
}
