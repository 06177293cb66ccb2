/** Facts around a table of days with periods of its own and years of weeks; questions by the columns that name these. */
import type { ColumnJson, FilterJson, MetricJson, ModelJson, PlainRow, QueryJson } from '../model.js'
import type { Star } from './later-star.js'
import { isNumericMeasure } from './metrics.js'
import { hashOf, type Random, randomFrom } from './random.js'

const DAY = 86_400_000
const COLUMNS: Readonly<Record<string, { readonly says: string; readonly column: ColumnJson }>> = {
  Term: { says: 'own: 1', column: { code: 'term', abstractType: 'string' } },
  'Term No': { says: 'own: 1', column: { code: 'term_no', abstractType: 'int' } },
  'Term Of': { says: 'own: 1_of_own: 2', column: { code: 'term_of', abstractType: 'string' } },
  'School Year': { says: 'own: 2', column: { code: 'school_year', abstractType: 'string' } },
  'Year Of': { says: 'own: 2_of_own: 4', column: { code: 'year_of', abstractType: 'int' } },
  Era: { says: 'own: 4', column: { code: 'era', abstractType: 'string' } },
  'Is Exam': { says: 'own: 3', column: { code: 'is_exam', abstractType: 'boolean' } },
  'Week Year': { says: 'week_year', column: { code: 'week_year', abstractType: 'int' } },
  'Week No': { says: 'week_of_week_year', column: { code: 'week_no', abstractType: 'int' } },
}

/** Terms of any length, in the order of time; their names are not. Some days are in none. */
interface Term {
  readonly name: string
  readonly year: string
  /** Its place in the year: not every year has each place, and at most one term of a year has none. */
  readonly place: string | null
  readonly from: number
  readonly to: number
}

const NAMES = ['Lent', 'Easter', 'Act', 'Summer', 'Hilary', 'Michael', 'Trinity', 'Autumn', 'Zenith', 'Ball', 'Core', 'Dusk']

function termsOf(random: Random, days: readonly number[]): readonly Term[] {
  const terms: Term[] = []
  const withBreaks = random.chance(0.5)
  const [skips, hasUnplaced] = [random.chance(0.4), random.chance(0.15)]
  const placeOf = (i: number): string | null => {
    const at = i % 3
    if (hasUnplaced && at === 1) return null
    return `T${at + (skips && Math.floor(i / 3) % 2 === 1 && at > 0 ? 2 : 1)}`
  }
  const last = days.at(-1)!
  for (let from = days[0]!, i = 0; from <= last; i++) {
    const to = from + random.pick([6, 20, 33, 58, 90, 120])
    const year = `S${String(90 - Math.floor(i / 3)).padStart(2, '0')}`
    terms.push({ name: `${NAMES[i % NAMES.length]!} ${i}`, year, place: placeOf(i), from, to })
    from = to + 1 + (withBreaks && random.chance(0.4) ? random.between(1, 20) : 0)
  }
  return terms
}

function valuesOf(term: Term | undefined, terms: readonly Term[], day: number): PlainRow {
  const of = new Date(day * DAY)
  const thursday = new Date((day + 3 - ((of.getUTCDay() + 6) % 7)) * DAY)
  const week = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * DAY)) + 1
  return {
    Term: term ? term.name : null,
    'Term No': term ? 500 - terms.indexOf(term) : null,
    'Term Of': term ? term.place : null,
    'Year Of': term ? Math.floor(terms.indexOf(term) / 3) % 2 : null,
    Era: term ? `E${Math.floor(terms.indexOf(term) / 6)}` : null,
    'School Year': term ? term.year : null,
    'Is Exam': term ? terms.indexOf(term) === 4 : null,
    'Week Year': thursday.getUTCFullYear(),
    'Week No': week,
  }
}

/** The same star; one around a table has some of these columns. */
export function withTerms(random: Random, { model, data }: Star): Star {
  const calendar = model.dataObjects['Calendar']!
  if (calendar.calendar!.key === undefined) return { model, data }
  const chosen = ['Term', 'School Year', ...random.some(Object.keys(COLUMNS).slice(1), random.between(1, 5))]
  const names = Object.keys(COLUMNS).filter((name) => chosen.includes(name))
  const days = data['Calendar']!.map((row) => Date.parse(String(row['Day'])) / DAY)
  const terms = termsOf(random, days)
  const rows = data['Calendar']!.map((row, i): PlainRow => {
    const day = days[i]!
    const values = valuesOf(
      terms.find(({ from, to }) => from <= day && day <= to),
      terms,
      day,
    )
    return { ...row, ...Object.fromEntries(names.map((name) => [name, values[name]!])) }
  })
  const periods = Object.fromEntries(names.map((name) => [name, COLUMNS[name]!.says]))
  const measures = Object.entries(model.measures ?? {})
  const numbers = measures.flatMap(([name, measure]) => (isNumericMeasure(model.dataObjects, measure) ? [name] : []))
  const bases = [...numbers, 'Sales Count']
  const times = ['Date', 'Sales On'].filter((name) => model.dimensions?.[name] !== undefined)
  return {
    data: { ...data, Calendar: rows },
    model: {
      ...model,
      dataObjects: {
        ...model.dataObjects,
        Calendar: {
          ...calendar,
          calendar: { ...calendar.calendar!, periods: { ...calendar.calendar!.periods, ...periods } },
          columns: { ...calendar.columns, ...Object.fromEntries(names.map((name) => [name, COLUMNS[name]!.column])) },
        },
      },
      dimensions: {
        ...model.dimensions,
        ...Object.fromEntries(
          names.map((name) => [name, { dataObject: 'Calendar', column: name, resultType: COLUMNS[name]!.column.abstractType! }]),
        ),
      },
      metrics: { ...model.metrics, ...metricsOf(random, bases, times, names.includes('Era') ? 'Era' : 'School Year') },
    },
  }
}

function metricsOf(
  random: Random,
  bases: readonly string[],
  times: readonly string[],
  longest: string,
): Record<string, MetricJson> {
  const prior = (measure: string, offsetGrain?: string): MetricJson => ({
    type: 'period_over_period',
    measure,
    periodOverPeriod: {
      timeDimension: random.pick(times),
      offset: random.pick([-1, -1, -2, 1]),
      comparison: random.pick(['previousValue', 'previousValue', 'difference', 'ratio', 'percentChange']),
      ...(offsetGrain !== undefined && { offsetGrain }),
      ...(random.chance(0.2) && { rows: 'current' as const }),
    },
  })
  const running = (measure: string): MetricJson => ({
    type: 'cumulative',
    measure,
    timeDimension: random.pick(times),
    ...(random.chance(0.3) && { cumulativeType: random.pick(['sum', 'max', 'count', 'avg']) }),
    ...(random.chance(0.6) && { window: random.between(1, 4) }),
    ...(random.chance(0.2) && { partitionBy: random.some(['Shop', 'School Year'], random.between(0, 2)) }),
  })
  const { partitionBy: _, ...first } = running(random.pick(bases))
  return {
    'before 1': prior(random.pick(bases)),
    'before 2': prior(random.pick(bases), 'Term'),
    'before 3': prior('so far 1'),
    'before 4': prior('before 1'),
    'before 5': prior(random.pick(bases), 'School Year'),
    'before 6': prior('before 5', random.pick(['School Year', 'School Year', 'Term', longest])),
    'before 8': prior(random.pick(bases), longest),
    'before 7': prior(random.pick(['before 1', 'so far 1', 'most 1', 'place 3', 'mix 3']), 'School Year'),
    'so far 1': first,
    'so far 2': { ...running('before 1'), cumulativeType: random.pick(['sum', 'max', 'avg']) },
    'so far 3': { ...first, window: 2, onlyFull: true },
    'mix 2': { expression: `coalesce({[before 1]}, 0) + coalesce({[so far 1]}, 0)` },
    'so far 4': { ...running('before 5'), cumulativeType: 'sum' },
    'mix 3': { expression: `coalesce({[before 5]}, 0) - coalesce({[before 1]}, 0)` },
    'place 3': {
      type: 'window',
      windowFunction: 'rank',
      measure: 'before 5',
    },
    'most 2': { type: 'aggregate', measure: 'before 5', aggregation: 'max', per: random.some(['Shop', 'Term'], 1) },
    'place 2': {
      type: 'window',
      windowFunction: random.pick(['rank', 'lag', 'row_number']),
      measure: random.pick(['before 1', 'so far 1']),
    },
    'most 1': {
      type: 'aggregate',
      measure: random.pick(['before 1', 'so far 1', ...bases]),
      aggregation: 'max',
      per: random.some(['Shop', 'Term'], 1),
    },
  }
}

const LISTS: readonly (readonly string[])[] = [
  ['Term'],
  ['Term'],
  ['Term'],
  ['Term No'],
  ['Term', 'School Year'],
  ['School Year', 'Term Of'],
  ['School Year'],
  ['Term Of'],
  ['Is Exam', 'Term'],
  ['Term', 'Year No'],
  ['Era', 'School Year'],
  ['Era', 'Year Of', 'Term'],
  ['Week Year'],
  ['Week Year', 'Week No'],
  ['Week Year', 'Year No'],
  ['Week Year', 'Quarter Start'],
  ['Week No'],
]

/** A question by the columns of the table, in place of some others. */
export function termsQuery(random: Random, model: ModelJson, star: QueryJson): QueryJson {
  const { dimensions: known = {}, metrics = {} } = model
  const lists = LISTS.filter((list) => list.every((name) => known[name] !== undefined))
  if (!known['Term'] || random.chance(0.15)) return star
  const chosen = random.some(
    Object.keys(metrics).filter(
      (name) => random.chance(0.15) || (/ \d$/.test(name) && !/^(prior|running|place 1|mix 1)/.test(name)),
    ),
    random.between(1, 2),
  )
  const others = [
    ...(random.chance(0.35) ? ['Shop'] : []),
    ...(random.chance(0.06) ? ['Weekday'] : []),
    ...(random.chance(0.06) ? ['Date:month'] : []),
    ...(random.chance(0.06) ? ['Date:week'] : []),
  ]
  const shown = [...new Set([...random.pick(lists), ...others])]
  const { grouping: _, where: __, ...plain } = star
  const where = conditions(random, model)
  const grouping = random.pick([
    undefined,
    undefined,
    undefined,
    undefined,
    'rollup',
    'cube',
    { sets: [shown, shown.slice(0, 1), []] },
  ] as const)
  return {
    ...plain,
    select: {
      ...star.select,
      dimensions: shown,
      measures: [...new Set([...chosen, ...random.some(Object.keys(model.measures ?? {}), 1)])],
    },
    ...(where.length > 0 && { where }),
    ...(grouping !== undefined && { grouping }),
    ...(plain.fill_gaps === undefined && random.chance(0.25) && { fill_gaps: random.chance(0.2) ? ('range' as const) : true }),
  }
}

function conditions(random: Random, { dimensions: known = {} }: ModelJson): FilterJson[] {
  const days = ['2022-12-20', '2023-01-01', '2023-02-10', '2023-06-30', '2023-12-01', '2024-01-01', '2024-02-10']
  const found: FilterJson[] = []
  if (random.chance(0.35)) {
    const [from, to] = random.some(days, 2).toSorted()
    found.push({ field: 'Date', op: 'between', value: [from!, to!] })
  }
  if (random.chance(0.12)) found.push({ field: 'Date', op: random.pick(['lt', 'gte']), value: random.pick(days) })
  if (random.chance(0.2))
    found.push({ field: 'School Year', op: random.pick(['=', '=', '=', 'neq']), value: random.pick(['S90', 'S89', 'S88']) })
  if (known['Week Year'] && random.chance(0.15)) found.push({ field: 'Week Year', op: '=', value: random.pick([2023, 2024]) })
  if (known['Year No'] && random.chance(0.12)) found.push({ field: 'Year No', op: '=', value: random.pick([2023, 2024]) })
  if (random.chance(0.12)) found.push({ field: 'Shop', op: random.pick(['=', 'neq']), value: random.pick(['north', 'south']) })
  if (random.chance(0.1)) found.push({ field: 'Weekday', op: random.pick(['gte', 'lt']), value: 3 })
  return found
}

export const termsRandom = (seed: number, number: number): Random => randomFrom(hashOf(`terms ${seed} ${number}`))
