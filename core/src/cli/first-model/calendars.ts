/** Tables of days, recognised by their data: one row for each day, and columns that are functions of periods. */
import type { DraftColumn, DraftTable } from './draft.js'
import type { ColumnFacts, Probe, Structure } from './structure.js'

/** A table of days as the model declares it. */
export interface FoundCalendar {
  readonly calendar: { readonly key: string; readonly periods: Readonly<Record<string, string>> }
  readonly evidence: string
}

const FEWEST_DAYS = 60
const MOST_DAYS = 100_000
const WORDS = new Set(['calendar', 'date', 'dates', 'day', 'days'])
const DAY_MS = 86_400_000

/** The calendar that a table is; `undefined` if it is none. A fact with one row a day has rows to count, so nothing joins it. */
export async function calendarOf(table: DraftTable, { links }: Structure, probe: Probe): Promise<FoundCalendar | undefined> {
  const isJoined = links.some(({ from, to }) => to === table && from !== table)
  if (!isJoined && !table.words.some((word) => WORDS.has(word.toLowerCase()))) return undefined
  for (const day of table.columns) {
    if (day.type?.kind !== 'date') continue
    const span = spanOf(await probe.facts({ table, column: day }))
    if (!span) continue
    const found = await periodsOf(table, day, span, probe)
    const isCalendar = found.size > 1 && [...found.values()].some((period) => !period.includes('_of_'))
    if (!isCalendar) continue
    const periods = Object.fromEntries([...found].map(([{ label }, period]) => [label, period]))
    const evidence = `one row for each day from ${textOf(span.first)} to ${textOf(span.last)}, and its columns have one value in each of these periods`
    return { calendar: { key: day.label, periods }, evidence }
  }
  return undefined
}

/** The first and the last day. */
interface Span {
  readonly first: Date
  readonly last: Date
}

/** `undefined` if a day is missing, occurs twice, or if there are few. */
function spanOf(facts: ColumnFacts | undefined): Span | undefined {
  if (!facts?.first || !facts.last || facts.distinct !== facts.rows || facts.present !== facts.rows) return undefined
  const [first, last] = [new Date(facts.first.slice(0, 10)), new Date(facts.last.slice(0, 10))]
  const days = (last.getTime() - first.getTime()) / DAY_MS + 1
  return days === facts.rows && days >= FEWEST_DAYS && days <= MOST_DAYS ? { first, last } : undefined
}

const textOf = (day: Date): string => day.toISOString().slice(0, 10)

/** Periods whose values name them alone, the longest first, then places in longer ones. */
const WHOLE = ['year', 'week_year', 'quarter', 'month', 'week'] as const
const PLACES: readonly (readonly [string, number])[] = [
  ['quarter_of_year', 4],
  ['month_of_year', 12],
  ['week_of_week_year', 53],
]

/** The columns that are functions of a period, with its name. */
async function periodsOf(table: DraftTable, day: DraftColumn, span: Span, probe: Probe): Promise<Map<DraftColumn, string>> {
  const candidates = new Map<DraftColumn, readonly string[]>()
  for (const column of table.columns) {
    const facts = column === day ? undefined : await probe.facts({ table, column })
    if (facts && facts.present === facts.rows) candidates.set(column, candidatesOf(column, facts, span))
  }
  const found = new Map<DraftColumn, string>()
  for (const period of [...WHOLE, ...PLACES.map(([name]) => name)]) {
    const asked = [...candidates].flatMap(([column, names]) => (names.includes(period) && !found.has(column) ? [column] : []))
    if (asked.length === 0) continue
    for (const column of await probe.periods({ table, column: day }, period, asked)) found.set(column, period)
  }
  return found
}

/** The periods that the number of values allows. */
function candidatesOf(column: DraftColumn, facts: ColumnFacts, { first, last }: Span): readonly string[] {
  const { distinct } = facts
  if (distinct < 2) return []
  // True names one period, and false none: a year or a quarter of a long table, and no month.
  if (column.type?.kind === 'boolean') return WHOLE
  const places = PLACES.flatMap(([name, most]) => (distinct <= most && !isWhole(column, facts) ? [name] : []))
  const years = last.getUTCFullYear() - first.getUTCFullYear() + 1
  const months = (years - 1) * 12 + last.getUTCMonth() - first.getUTCMonth() + 1
  const weeks = Math.floor((last.getTime() - mondayOf(first)) / DAY_MS / 7) + 1
  const quarters = (years - 1) * 4 + Math.floor(last.getUTCMonth() / 3) - Math.floor(first.getUTCMonth() / 3) + 1
  const counts = { year: [years], week_year: [years - 1, years, years + 1], quarter: [quarters], month: [months], week: [weeks] }
  const whole = isWhole(column, facts) ? WHOLE.filter((name) => counts[name].includes(distinct)) : []
  return [...whole, ...places]
}

/** A date, a number beyond any place in a year, or a text with a year in it: `January` names a month only together with its year. */
function isWhole({ type }: DraftColumn, { min, first }: ColumnFacts): boolean {
  if (type?.kind === 'date') return true
  return min === undefined ? /\d{4}/.test(first ?? '') : min > 366
}

const mondayOf = (day: Date): number => day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS
