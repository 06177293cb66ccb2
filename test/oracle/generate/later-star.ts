/** Facts around a table of days: periods by the columns of the table, by its day and by the facts' own times. */
import { COLUMNS, STARTS } from '../generated-calendars.js'
import type { ColumnJson, FilterJson, MetricJson, ModelJson, ObjectJson, PlainRow, QueryJson, Tables } from '../model.js'
import type { Random } from './random.js'

const [FIRST, LAST] = ['2022-11-20', '2024-03-10'].map((day) => Date.parse(day) / 86_400_000) as [number, number]
/** Every day of the years of the facts: data by month are on all days of the month. */
const [FIRST_OF_ALL, LAST_OF_ALL] = ['2022-01-01', '2026-12-31'].map((day) => Date.parse(day) / 86_400_000) as [number, number]
const isoOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

const PERIODS: Readonly<
  Record<string, { readonly says: string; readonly column: ColumnJson; readonly of: (day: Date) => string | number | boolean }>
> = {
  'Year No': { says: 'year', column: { code: 'year_no', abstractType: 'int' }, of: (d) => d.getUTCFullYear() },
  'Year Name': { says: 'year', column: { code: 'year_name', abstractType: 'string' }, of: (d) => `Y${d.getUTCFullYear()}` },
  'Quarter No': {
    says: 'quarter_of_year',
    column: { code: 'quarter_no', abstractType: 'int' },
    of: (d) => Math.floor(d.getUTCMonth() / 3) + 1,
  },
  'Quarter Start': {
    says: 'quarter',
    column: { code: 'quarter_start', abstractType: 'date' },
    of: (d) => `${d.getUTCFullYear()}-${String(d.getUTCMonth() - (d.getUTCMonth() % 3) + 1).padStart(2, '0')}-01`,
  },
  'Month Start': {
    says: 'month',
    column: { code: 'month_start', abstractType: 'date' },
    of: (d) => `${d.toISOString().slice(0, 7)}-01`,
  },
  'Month Name': {
    says: 'month_of_year',
    column: { code: 'month_name', abstractType: 'string' },
    of: (d) => `M${d.getUTCMonth() + 1}`,
  },
  'Is 2024': { says: 'year', column: { code: 'is_2024', abstractType: 'boolean' }, of: (d) => d.getUTCFullYear() === 2024 },
}

/** The columns of a second calendar, which facts join by the same date. */
const BOOKS: typeof PERIODS = {
  'Book Year': { ...PERIODS['Year No']!, column: { code: 'book_year', abstractType: 'int' } },
  'Book Month': { ...PERIODS['Month Name']!, column: { code: 'book_month', abstractType: 'string' } },
}

const DAYS = [
  '2022-12-05',
  '2023-01-03',
  '2023-01-31',
  '2023-02-14',
  '2023-03-31',
  '2023-07-04',
  '2023-12-05',
  '2023-12-31',
  '2024-01-03',
  '2024-01-31',
  '2024-02-10',
  '2024-02-29',
  '2024-03-01',
]
const SHOPS = ['north', 'south', 'west']

export interface Star {
  readonly model: ModelJson
  readonly data: Tables
}

export const isStar = ({ name }: ModelJson): boolean => name === 'star'

/** `isCovered`: the table has every day of whole years. */
export function starOf(random: Random, isCovered = false): Star {
  if (random.chance(0.4)) return generatedStar(random)
  const byKey = random.chance(0.3)
  const byTime = !byKey && random.chance(0.4)
  const books = !byKey && random.chance(0.35) ? Object.keys(BOOKS) : []
  const periods = random.some(Object.keys(PERIODS), random.between(4, 7))
  const facts = random.chance(0.5) ? ['Sales', 'Returns'] : ['Sales']
  const dataObjects = {
    Calendar: calendar(byKey, periods),
    ...(books.length > 0 && { Books: BOOK_OBJECT }),
    ...Object.fromEntries(facts.map((name) => [name, inBooks(fact(name, byKey, byTime && name === 'Sales'), books.length > 0)])),
  }
  const dimensions = {
    Date: { dataObject: 'Calendar', column: 'Day', resultType: 'date', ...(random.chance(0.15) && { timeGrain: 'month' }) },
    ...Object.fromEntries(
      [...periods, 'Weekday'].map((column) => [
        column,
        { dataObject: 'Calendar', column, resultType: dataObjects.Calendar.columns[column]!.abstractType },
      ]),
    ),
    ...(books.length > 0 && { 'Book Day': { dataObject: 'Books', column: 'Day', resultType: 'date' } }),
    ...Object.fromEntries(
      books.map((column) => [column, { dataObject: 'Books', column, resultType: BOOKS[column]!.column.abstractType }]),
    ),
    ...Object.fromEntries(facts.map((name) => [`${name} On`, { dataObject: name, column: 'on', resultType: 'date' }])),
    ...(byTime && { 'Sales At': { dataObject: 'Sales', column: 'at', resultType: 'timestamp' } }),
    Shop: { dataObject: 'Sales', column: 'shop', resultType: 'string' },
  }
  const measures = {
    ...Object.fromEntries(
      facts.map((name) => [`${name} Amount`, { aggregation: 'sum', columns: [{ dataObject: name, column: 'amount' }] }]),
    ),
    Shops: { aggregation: 'count_distinct', columns: [{ dataObject: 'Sales', column: 'shop' }] },
    Largest: { aggregation: 'max', columns: [{ dataObject: 'Sales', column: 'amount' }] },
  }
  const bases = [...Object.keys(measures), ...facts.map((name) => `${name} Count`)]
  const last = books.length > 0 ? 'Book Day' : 'Date'
  const times = ['Date', 'Date', last, byTime ? 'Sales At' : byKey ? 'Date' : 'Sales On']
  const metrics = metricsOf(random, bases, times, [...periods, ...books])
  return {
    model: { version: 1, name: 'star', dataObjects, dimensions, measures, metrics },
    data: {
      Calendar: days(byKey, periods, PERIODS, isCovered),
      ...(books.length > 0 && { Books: days(false, books, BOOKS, isCovered) }),
      ...Object.fromEntries(facts.map((name) => [name, rows(random, byKey, byTime && name === 'Sales')])),
    },
  }
}

/** The same facts around a calendar without a table. */
function generatedStar(random: Random): Star {
  const byTime = random.chance(0.4)
  const facts = random.chance(0.5) ? ['Sales', 'Returns'] : ['Sales']
  const isTimed = (name: string): boolean => byTime && name === 'Sales'
  const factOf = (name: string): ObjectJson => {
    const { joins: _, ...object } = fact(name, false, isTimed(name))
    const from = isTimed(name) ? 'at' : 'on'
    return { ...object, joins: [{ joinType: 'many-to-one', joinTo: 'Calendar', columnsFrom: [from], columnsTo: ['Date'] }] }
  }
  const bounds = random.chance(0.5) ? { from: '2022-01-01', to: '2026-12-31' } : {}
  const dimensions = {
    Date: { dataObject: 'Calendar', column: 'Date', resultType: 'date' },
    ...Object.fromEntries(Object.keys(STARTS).map((column) => [column, { dataObject: 'Calendar', column, resultType: 'date' }])),
    ...Object.fromEntries(
      Object.entries(COLUMNS).map(([column, { abstractType }]) => [
        column,
        { dataObject: 'Calendar', column, resultType: abstractType },
      ]),
    ),
    ...Object.fromEntries(facts.map((name) => [`${name} On`, { dataObject: name, column: 'on', resultType: 'date' }])),
    ...(byTime && { 'Sales At': { dataObject: 'Sales', column: 'at', resultType: 'timestamp' } }),
    Shop: { dataObject: 'Sales', column: 'shop', resultType: 'string' },
  }
  const measures = {
    ...Object.fromEntries(
      facts.map((name) => [`${name} Amount`, { aggregation: 'sum', columns: [{ dataObject: name, column: 'amount' }] }]),
    ),
    Shops: { aggregation: 'count_distinct', columns: [{ dataObject: 'Sales', column: 'shop' }] },
  }
  const bases = [...Object.keys(measures), ...facts.map((name) => `${name} Count`)]
  const times = ['Date', 'Date', byTime ? 'Sales At' : 'Sales On']
  return {
    model: {
      version: 1,
      name: 'star',
      dataObjects: {
        Calendar: {
          code: 'calendar',
          calendar: { grain: 'day', ...bounds },
          // A calendar without a table has none of these.
          columns: { Unused: { code: 'unused', abstractType: 'int' } },
        },
        ...Object.fromEntries(facts.map((name) => [name, factOf(name)])),
      },
      dimensions,
      measures,
      metrics: metricsOf(random, bases, times, ['Year Number']),
    },
    data: { Calendar: [], ...Object.fromEntries(facts.map((name) => [name, rows(random, false, isTimed(name))])) },
  }
}

function calendar(byKey: boolean, periods: readonly string[]) {
  return {
    code: 'calendar',
    calendar: { key: 'Day', periods: Object.fromEntries(periods.map((name) => [name, PERIODS[name]!.says])) },
    columns: {
      ...(byKey && { 'Day Key': { code: 'day_key', abstractType: 'int', primaryKey: true } }),
      Day: { code: 'day', abstractType: 'date', ...(!byKey && { primaryKey: true }) },
      ...Object.fromEntries(periods.map((name) => [name, PERIODS[name]!.column])),
      Weekday: { code: 'weekday', abstractType: 'int' },
    } as Record<string, ColumnJson>,
  }
}

const BOOK_OBJECT: ObjectJson = {
  code: 'books',
  calendar: { key: 'Day', periods: Object.fromEntries(Object.entries(BOOKS).map(([name, { says }]) => [name, says])) },
  columns: {
    Day: { code: 'day', abstractType: 'date', primaryKey: true },
    ...Object.fromEntries(Object.entries(BOOKS).map(([name, { column }]) => [name, column])),
    Weekday: { code: 'weekday', abstractType: 'int' },
  },
}

const inBooks = (fact: ObjectJson, isJoined: boolean): ObjectJson =>
  isJoined
    ? {
        ...fact,
        joins: [...fact.joins!, { joinType: 'many-to-one', joinTo: 'Books', columnsFrom: ['on'], columnsTo: ['Day'] }],
      }
    : fact

function days(byKey: boolean, periods: readonly string[], of: typeof PERIODS, isCovered: boolean): PlainRow[] {
  const [first, last] = isCovered ? [FIRST_OF_ALL, LAST_OF_ALL] : [FIRST, LAST]
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const date = new Date((first + i) * 86_400_000)
    return {
      ...(byKey && { 'Day Key': keyOf(isoOf(first + i)) }),
      Day: isoOf(first + i),
      ...Object.fromEntries(periods.map((name) => [name, of[name]!.of(date)])),
      Weekday: date.getUTCDay(),
    }
  })
}

const keyOf = (day: string): number => Number(day.replaceAll('-', ''))

function fact(name: string, byKey: boolean, byTime: boolean): ObjectJson {
  const from = byKey ? 'on_key' : 'on'
  return {
    code: name.toLowerCase(),
    columns: {
      id: { code: 'id', abstractType: 'int', primaryKey: true },
      ...(byTime && { at: { code: 'at', abstractType: 'timestamp' } }),
      on: byTime ? { expression: 'CAST({at} AS date)', abstractType: 'date' } : { code: 'on_day', abstractType: 'date' },
      ...(byKey && { on_key: { code: 'on_key', abstractType: 'int' } }),
      amount: { code: 'amount', abstractType: 'int' },
      shop: { code: 'shop', abstractType: 'string' },
    },
    joins: [{ joinType: 'many-to-one', joinTo: 'Calendar', columnsFrom: [from], columnsTo: [byKey ? 'Day Key' : 'Day'] }],
  }
}

const rows = (random: Random, byKey: boolean, byTime: boolean): PlainRow[] =>
  Array.from({ length: random.between(4, 14) }, (_, i) => {
    const day = random.chance(0.06) ? null : random.chance(0.04) ? '2026-05-05' : random.pick(DAYS)
    return {
      id: i + 1,
      ...(byTime ? { at: day && `${day} ${random.pick(['00:00:00', '09:30:00', '23:59:59'])}` } : { on: day }),
      ...(byKey && { on_key: day === null ? null : keyOf(day) }),
      amount: random.chance(0.1) ? null : random.between(1, 20),
      shop: random.chance(0.05) ? null : random.pick(SHOPS),
    }
  })

function metricsOf(
  random: Random,
  bases: readonly string[],
  times: readonly string[],
  periods: readonly string[],
): Record<string, MetricJson> {
  const prior = (measure: string): MetricJson => ({
    type: 'period_over_period',
    measure,
    periodOverPeriod: {
      timeDimension: random.pick(times),
      offset: random.pick([-1, -1, -1, -2, 1]),
      offsetGrain: random.pick(['year', 'year', 'quarter', 'month']),
      comparison: random.pick(['previousValue', 'previousValue', 'difference', 'ratio']),
      ...(random.chance(0.15) && { rows: 'current' as const }),
    },
  })
  const running = (measure: string, parts: readonly string[]): MetricJson => {
    const extent = random.below(3)
    return {
      type: 'cumulative',
      measure,
      timeDimension: random.pick(times),
      ...(random.chance(0.25) && { cumulativeType: random.pick(['sum', 'max', 'count', 'avg']) }),
      ...(extent === 1 && {
        window: random.between(2, 4),
        ...(random.chance(0.3) && { windowGrain: random.pick(['quarter', 'year']) }),
      }),
      ...(extent === 2 && { grainToDate: random.pick(['year', 'year', 'quarter']) }),
      ...(random.chance(0.15) && { partitionBy: random.some(parts, random.between(0, 2)) }),
    }
  }
  return {
    'prior 1': prior(random.pick(bases)),
    'prior 2': prior(random.pick(bases)),
    'running 1': running(random.pick(bases), ['Shop']),
    'running 2': running(random.pick(bases), ['Shop', ...periods]),
    'prior 3': prior('running 1'),
    'mix 1': { expression: `{[${random.pick(bases)}]} - coalesce({[prior 1]}, 0)` },
    'place 1': {
      type: 'window',
      windowFunction: random.pick(['rank', 'lag', 'row_number']),
      measure: random.pick(['prior 1', 'running 1']),
    },
  }
}

/** A question of periods, mostly by columns of the calendar. */
export function starQuery(random: Random, { dataObjects, dimensions = {}, measures = {}, metrics = {} }: ModelJson): QueryJson {
  const { key, periods: declared = {} } = dataObjects['Calendar']!.calendar!
  const own = key === undefined ? GENERATED : Object.keys(declared).filter((name) => PERIODS[name])
  const periods = dataObjects['Books'] && random.chance(0.5) ? [...own, ...Object.keys(BOOKS)] : own
  const byTime = dimensions['Sales At'] !== undefined
  const chosen = random.some(Object.keys(metrics), random.between(1, 2))
  const time = random.chance(0.9)
    ? (timeOf(metrics, chosen[0]!) ?? 'Date')
    : random.pick(['Date', byTime ? 'Sales At' : 'Sales On'])
  const at = `${time}:${random.pick(['month', 'month', 'quarter', 'year', 'day', 'week'])}`
  const start = key === undefined && random.chance(0.4) ? random.pick(Object.keys(STARTS)) : at
  const whole = random.chance(0.1) ? 'Date' : start
  const others = [
    ...random.some(periods, random.pick([0, 0, 1, 1, 2])),
    ...(random.chance(0.1) ? ['Weekday'] : []),
    ...(random.chance(0.35) ? ['Shop'] : []),
  ]
  const named = Object.keys({ ...measures, ...metrics })
  const where = conditions(random, periods, byTime)
  return {
    select: {
      dimensions: random.chance(0.9) ? [...new Set([whole, ...others])] : others,
      measures: [...chosen, ...random.some(named, 1)].filter((n, i, all) => all.indexOf(n) === i),
    },
    ...(where.length > 0 && { where }),
    ...(random.chance(0.3) && {
      fill_gaps: random.chance(0.6) && isCovered(where, key !== undefined || whole.endsWith(':day')) ? ('range' as const) : true,
    }),
    ...(random.chance(0.12) && { grouping: 'rollup' as const }),
    ...(random.chance(0.08) && { having: [{ field: random.pick(Object.keys(measures)), op: 'gt', value: 1 }] }),
  }
}

function timeOf(metrics: Readonly<Record<string, MetricJson>>, name: string): string | undefined {
  const metric = metrics[name]
  const below = metric?.expression === undefined ? metric?.measure : 'prior 1'
  return (
    metric?.timeDimension ?? metric?.periodOverPeriod?.timeDimension ?? (below === undefined ? undefined : timeOf(metrics, below))
  )
}

/** Reference calendars without a table end before 2030. Longer periods with a weekday need the bounds of the calendar. */
function isCovered(where: readonly FilterJson[], isOfDays: boolean): boolean {
  const text = JSON.stringify(where)
  return !text.includes('2030') && (isOfDays || !text.includes('Weekday'))
}

const GENERATED = ['Year Number', 'Quarter Number', 'Month Number', 'Quarter Label', 'Month Label', 'Week Year']

const VALUES: Readonly<Record<string, readonly (string | number | boolean)[]>> = {
  'Year No': [2023, 2024, 2024, 2030],
  'Year Name': ['Y2023', 'Y2024', 'Y2024'],
  'Quarter No': [1, 1, 4],
  'Quarter Start': ['2023-01-01', '2024-01-01', '2023-10-01'],
  'Month Start': ['2023-12-01', '2024-01-01', '2024-02-01', '2024-02-02'],
  'Month Name': ['M1', 'M2', 'M12'],
  'Is 2024': [true, true, false],
  'Book Year': [2023, 2024, 2024],
  'Book Month': ['M1', 'M2', 'M12'],
  'Year Number': [2023, 2024, 2024, 2026],
  'Week Year': [2023, 2024],
  'Quarter Number': [1, 1, 4],
  'Month Number': [1, 2, 12],
  'Quarter Label': ['Q1', 'Q4', 'Q9'],
  'Month Label': ['January', 'February', 'December'],
}

const saysOf = (name: string): string => (PERIODS[name] ?? BOOKS[name] ?? COLUMNS[name])!.says!

function conditions(random: Random, periods: readonly string[], byTime: boolean): FilterJson[] {
  const one = (field: string): FilterJson => {
    const others =
      ((PERIODS[field] ?? BOOKS[field])?.column ?? COLUMNS[field])!.abstractType === 'boolean' ? ['neq'] : ['in', 'gte', 'neq']
    return { field, op: random.chance(0.85) ? '=' : random.pick(others), value: random.pick(VALUES[field]!) }
  }
  const fix = (filter: FilterJson): FilterJson =>
    'op' in filter && filter.op === 'in' ? { ...filter, value: [filter.value!] } : filter
  const wholes = periods.filter((name) => !saysOf(name).includes('_of_'))
  const parts = periods.filter((name) => saysOf(name).includes('_of_'))
  const found: FilterJson[] = []
  if (random.chance(0.75)) {
    const years = wholes.filter((name) => saysOf(name) === 'year')
    const chosen = random.some(random.chance(0.6) && years.length > 0 ? years : wholes, random.pick([1, 1, 1, 2]))
    found.push(...chosen.map((name) => fix(one(name))))
    if (random.chance(0.4)) found.push(...random.some(parts, 1).map((name) => fix(one(name))))
  }
  if (random.chance(0.3)) {
    const field = random.pick([
      'Date',
      byTime ? 'Sales At' : 'Sales On',
      periods.includes('Year Number') ? 'Calendar.Date' : 'Calendar.Day',
    ])
    found.push({
      field,
      op: random.pick(['gte', 'lt', 'lte']),
      value: random.pick(['2023-03-01', '2024-01-01', '2024-01-31', '2024-02-10']),
    })
  }
  if (random.chance(0.15)) found.push({ field: 'Shop', op: random.pick(['=', 'neq']), value: random.pick(SHOPS) })
  if (random.chance(0.2)) found.push({ field: 'Weekday', op: random.pick(['gte', 'lt']), value: 3 })
  if (found.length === 2 && random.chance(0.08))
    return [{ logic: random.pick(['or', 'and'] as const), negated: random.chance(0.1), filters: found }]
  return found
}
