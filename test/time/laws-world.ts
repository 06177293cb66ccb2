/** Generated sales around a calendar, as a table of days or without one, by dates or by times of a zone, for `laws.ts`. */
import type { SemanticModel } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import { calendarGrain, fiscalStart } from '../oracle/fiscal.js'
import type { Random } from '../oracle/generate/random.js'
import { Day, isoDay } from '../oracle/values.js'

export const CALENDARS = ['table', 'generated'] as const
export const TIMES = ['dates', 'times of a zone'] as const
type Calendar = (typeof CALENDARS)[number]
export type Times = (typeof TIMES)[number]

const OF_MODEL = {
  fiscal: { yearStart: '02-01' },
  retail: { pattern: '4-4-5', yearEnd: { weekday: 'saturday', month: 1, rule: 'nearest' } },
} as const

/** The families of periods: their grains, from the shortest, move by each other. */
export const FAMILIES = {
  civil: ['month', 'quarter', 'year'],
  fiscal: ['fiscal_month', 'fiscal_quarter', 'fiscal_year'],
  retail: ['retail_month', 'retail_quarter', 'retail_year'],
} as const
export type Family = keyof typeof FAMILIES

/** Columns that both forms of calendars have, and what they say. */
const PERIODS = {
  'Year Number': 'year',
  'Month Number': 'month_of_year',
  Quarter: 'quarter',
  'Fiscal Quarter': 'fiscal_quarter',
  'Fiscal Year': 'fiscal_year',
  'Retail Month': 'retail_month',
} as const
export const PERIOD_COLUMNS = Object.keys(PERIODS)

const DAY_MS = 86_400_000
const [FIRST, LAST] = ['2022-12-01', '2027-06-30'].map((day) => Date.parse(day) / DAY_MS) as [number, number]
const dateOf = (day: number): Date => new Date(day * DAY_MS)

/** The first day of the period of a day. */
export function startOf(grain: string, day: number): number {
  const own = calendarGrain(grain, OF_MODEL)
  if (own) return fiscalStart(own.calendar, own.unit, new Day(day)).days
  const date = dateOf(day)
  const months = { month: 1, quarter: 3, year: 12 }[grain] ?? 1
  return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months, 1) / DAY_MS
}

/** The first day after the period that begins with a day. */
export function endOf(grain: string, start: number): number {
  let next = start + 27
  while (startOf(grain, next) === start) next++
  return next
}

export const dayIn = (random: Random, year: number): number => Date.UTC(year, 0, 1) / DAY_MS + random.below(365)

const valuesOf = (day: number): readonly string[] => [
  String(dateOf(day).getUTCFullYear()),
  String(dateOf(day).getUTCMonth() + 1),
  ...['quarter', 'fiscal_quarter', 'fiscal_year', 'retail_month'].map((grain) => `DATE '${isoDay(startOf(grain, day))}'`),
]

/** In the SQL that every engine of the suites loads. */
export function tablesOf(random: Random): string {
  const sales = Array.from({ length: 300 }, (_, id) => {
    const day = Date.UTC(2024, 0, 1) / DAY_MS + random.below(1000)
    const at = `${isoDay(day)} ${random.pick(['00:00:00', '02:30:00', '04:59:59', '12:00:00', '23:59:59'])}`
    const shop = random.pick(["'a'", "'b'", "'c'", 'NULL'])
    return `(${id}, DATE '${isoDay(day)}', TIMESTAMP '${at}', ${shop}, 'c${random.below(40)}', ${random.below(100)})`
  })
  const days = Array.from({ length: LAST - FIRST + 1 }, (_, i) => {
    const day = FIRST + i
    return `(DATE '${isoDay(day)}', ${valuesOf(day).join(', ')})`
  })
  return [
    'CREATE TABLE sales (id BIGINT, on_day DATE, at_time TIMESTAMP, shop VARCHAR, customer VARCHAR, amount BIGINT)',
    ...inserts('sales', sales),
    'CREATE TABLE days (on_day DATE, year_no BIGINT, month_no BIGINT, quarter_start DATE, fiscal_quarter DATE, fiscal_year DATE, retail_month DATE)',
    ...inserts('days', days),
  ].join(';\n')
}

const ROWS = 250

const inserts = (table: string, rows: readonly string[]): readonly string[] =>
  Array.from(
    { length: Math.ceil(rows.length / ROWS) },
    (_, i) => `INSERT INTO ${table} VALUES ${rows.slice(i * ROWS, (i + 1) * ROWS).join(', ')}`,
  )

const prior = (measure: string, more: object) => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Sold', ...more },
})
const running = (measure: string, more: object) => ({ type: 'cumulative', measure, timeDimension: 'Sold', ...more })

/** Values before and changes, by each unit of a family. */
export const priorNames = (family: Family): readonly string[] => FAMILIES[family].map((unit) => `Before ${unit}`)
export const changeNames = (family: Family): readonly string[] => FAMILIES[family].map((unit) => `Change ${unit}`)

const COMPARED = Object.fromEntries(
  Object.values(FAMILIES)
    .flat()
    .flatMap((offsetGrain) => [
      [`Before ${offsetGrain}`, prior('Revenue', { offsetGrain })],
      [`Change ${offsetGrain}`, prior('Revenue', { offsetGrain, comparison: 'difference' })],
    ]),
)

/** Of every kind; each has a value with and without its time. */
const OTHERS = {
  'Thirty Days': running('Revenue', { window: 30, windowGrain: 'day' }),
  'Two Weeks': running('Revenue', { window: 2, windowGrain: 'week' }),
  'Best Day of Ten': running('Revenue', { window: 10, windowGrain: 'day', cumulativeType: 'max' }),
  'Buyers of Thirty Days': running('Buyers', { window: 30, windowGrain: 'day' }),
  'Year to Date': running('Revenue', { grainToDate: 'year' }),
  'Fiscal Year to Date': running('Revenue', { grainToDate: 'fiscal_year' }),
  'So Far': running('Revenue', {}),
  'Buyers Last Year': prior('Buyers', { offsetGrain: 'year' }),
  'Thirty Days Last Year': prior('Thirty Days', { offsetGrain: 'year' }),
  'Mean Growth': prior('Mean', { offsetGrain: 'year', comparison: 'percentChange' }),
  'Share of Last Year': { expression: '{[Revenue]} / {[Before year]}' },
}
export const MEASURES = ['Revenue', 'Buyers', 'Mean', 'Sales Count', ...Object.keys(OTHERS)]

const ID = { code: 'id', abstractType: 'int', primaryKey: true }

function salesOf(calendar: Calendar, times: Times): object {
  const isZoned = times !== 'dates'
  const from = isZoned && calendar === 'generated' ? 'At' : 'Day'
  return {
    code: 'sales',
    countLabel: 'Sales Count',
    columns: {
      Id: ID,
      At: { code: 'at_time', abstractType: 'timestamp' },
      Day: isZoned ? { expression: 'CAST({At} AS date)', abstractType: 'date' } : { code: 'on_day', abstractType: 'date' },
      Shop: { code: 'shop', abstractType: 'string' },
      Customer: { code: 'customer', abstractType: 'string' },
      Amount: { code: 'amount', abstractType: 'int' },
    },
    joins: [{ joinType: 'many-to-one', joinTo: 'Dates', columnsFrom: [from], columnsTo: ['Date'] }],
  }
}

const TABLE = {
  code: 'days',
  calendar: { key: 'Date', periods: PERIODS },
  columns: {
    Date: { code: 'on_day', abstractType: 'date', primaryKey: true },
    'Year Number': { code: 'year_no', abstractType: 'int' },
    'Month Number': { code: 'month_no', abstractType: 'int' },
    Quarter: { code: 'quarter_start', abstractType: 'date' },
    'Fiscal Quarter': { code: 'fiscal_quarter', abstractType: 'date' },
    'Fiscal Year': { code: 'fiscal_year', abstractType: 'date' },
    'Retail Month': { code: 'retail_month', abstractType: 'date' },
  },
}

export function modelOf(calendar: Calendar, times: Times): SemanticModel {
  const amount = [{ dataObject: 'Sales', column: 'Amount' }]
  const { model, errors } = parseModelSync({
    json: {
      calendars: OF_MODEL,
      ...(times !== 'dates' && { settings: { defaultTimezone: 'UTC', queryTimezone: 'America/New_York' } }),
      dataObjects: {
        Sales: salesOf(calendar, times),
        Dates: calendar === 'table' ? TABLE : { calendar: { grain: 'day' } },
      },
      dimensions: {
        Sold: { dataObject: 'Sales', column: times === 'dates' ? 'Day' : 'At' },
        Shop: { dataObject: 'Sales', column: 'Shop' },
        ...Object.fromEntries(PERIOD_COLUMNS.map((column) => [column, { dataObject: 'Dates', column }])),
      },
      measures: {
        Revenue: { aggregation: 'sum', columns: amount, defaultValue: 0 },
        Buyers: { aggregation: 'count_distinct', columns: [{ dataObject: 'Sales', column: 'Customer' }] },
        Mean: { aggregation: 'avg', columns: amount },
      },
      metrics: { ...COMPARED, ...OTHERS },
    },
  })
  if (!model) throw new Error(JSON.stringify(errors))
  return model
}
