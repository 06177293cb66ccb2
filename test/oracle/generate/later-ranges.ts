/** Comparisons and running values over the range of each row: filters that cut periods, levels without the time, subtotals and totals. */
import type { FilterJson, Json, MetricJson, ModelJson, QueryJson, Tables } from '../model.js'
import { kindOf } from '../world.js'
import { filterOn } from './later-ever.js'
import { baseOf } from './later-names.js'
import { type Fact, factsOf, rowsIn } from './later-periods.js'
import { reachedFrom } from './later-rows.js'
import { isFuzzy, isNumber, isNumericMeasure, isTruth } from './metrics.js'
import type { Random } from './random.js'

/** Ends and middles of neighbouring months, and of the same months of other years. */
const DAYS = [
  '2022-12-31', '2023-01-31', '2023-02-01', '2023-02-15', '2023-02-28', '2023-03-10', '2023-12-31',
  '2024-01-01', '2024-01-15', '2024-01-30', '2024-01-31', '2024-02-01', '2024-02-10', '2024-02-28', '2024-02-29',
  '2024-03-01', '2024-03-10', '2024-03-30', '2024-03-31', '2024-04-01', '2024-04-15',
] // biome-ignore format: a list

/** Days around the present, and their neighbours. */
const NEAR = [
  '2025-01-10', '2025-01-15', '2025-01-20', '2025-02-10', '2025-10-15', '2025-12-01', '2025-12-15', '2025-12-16', '2025-12-31',
  '2026-01-01', '2026-01-05', '2026-01-14', '2026-01-15', '2026-01-15', '2026-01-16', '2026-01-31', '2026-02-10', '2026-03-01',
] // biome-ignore format: a list

const isUntilNow = ({ metrics = {} }: ModelJson): boolean =>
  Object.values(metrics).some((metric) => metric.untilNow ?? metric.periodOverPeriod?.untilNow)

const NAME = /^(range|run|spread|range place) \d$/
const UNITS = ['day', 'week', 'month', 'month', 'month', 'quarter', 'year', 'year']

/** The model with metrics over the ranges of one fact, and with more rows of it there. */
export function withRanges(random: Random, model: ModelJson, data: Tables): { readonly model: ModelJson; readonly data: Tables } {
  const [fact] = random.some(factsOf(model), 1)
  if (!fact) return { model, data }
  const { measures, metrics } = fieldsOf(random, model, fact)
  const days = isUntilNow({ ...model, metrics }) ? NEAR : DAYS
  return {
    model: { ...model, measures: { ...model.measures, ...measures }, metrics: { ...model.metrics, ...metrics } },
    data: { ...data, [fact.name]: rowsIn(random, model, fact, data[fact.name]!, days) },
  }
}

const ofCalendars = ({ calendars = {} }: ModelJson): readonly string[] =>
  Object.keys(calendars).flatMap((name) => ['month', 'quarter', 'year'].map((unit) => `${name}_${unit}`))

function fieldsOf(random: Random, model: ModelJson, { name, time }: Fact) {
  const count = `${name} Count`
  const own = Object.entries(model.measures ?? {}).flatMap(([of, measure]) => {
    const isPlain = measure.aggregation !== 'approx_count_distinct' && !isTruth(measure)
    return baseOf(measure) === name && isPlain && isNumericMeasure(model.dataObjects, measure) && !isFuzzy(model, of) ? [of] : []
  })
  const bases = [...own, count, count]
  const units = [...UNITS, ...random.some(ofCalendars(model), 2)]
  const near = random.chance(0.35)
  const untilNow = (): { readonly untilNow?: boolean } => (near && random.chance(0.6) ? { untilNow: true } : {})
  const base = (): Partial<MetricJson> => {
    const [a, b] = [random.pick(bases), random.pick(bases)]
    return random.chance(0.75) ? { measure: a } : { expression: `{[${a}]} + coalesce({[${b}]}, 0)` }
  }
  const prior = (of: Partial<MetricJson>): MetricJson => ({
    type: 'period_over_period',
    ...of,
    periodOverPeriod: {
      timeDimension: time,
      offset: random.pick([-1, -1, -1, -2, 1]),
      comparison: random.pick(['previousValue', 'previousValue', 'difference', 'percentChange']),
      ...(random.chance(0.85) && { offsetGrain: random.pick(units) }),
      ...(random.chance(0.15) && { compare: 'whole' as const }),
      ...(random.chance(0.1) && { rows: 'current' as const }),
      ...untilNow(),
    },
  })
  const running = (): MetricJson => {
    const extent = random.below(4)
    return {
      type: 'cumulative',
      measure: random.pick(bases),
      timeDimension: time,
      ...(extent === 1 && { window: random.between(1, 4), windowGrain: random.pick(units) }),
      ...(extent === 2 && { grainToDate: random.pick(units.slice(3)) }),
      ...(extent === 3 && { window: random.between(1, 3) }),
      ...(extent > 0 && random.chance(0.35) && { onlyFull: true }),
      ...untilNow(),
      ...(random.chance(0.15) && { partitionBy: random.some(Object.keys(model.dimensions ?? {}), random.between(0, 2)) }),
    }
  }
  const folded = (): MetricJson => ({
    type: 'cumulative',
    measure: random.pick(bases),
    timeDimension: time,
    cumulativeType: random.pick(['sum', 'min', 'max', 'count']),
    window: random.between(1, 4),
    ...(random.chance(0.85) && { windowGrain: random.pick(units) }),
    ...(random.chance(0.35) && { onlyFull: true }),
    ...untilNow(),
  })
  const previous: MetricJson = {
    type: 'period_over_period',
    ...base(),
    periodOverPeriod: {
      timeDimension: time,
      offset: random.pick([-1, -1, 1, -2]),
      offsetGrain: 'range',
      comparison: random.pick(['previousValue', 'difference']),
      ...untilNow(),
    },
  }
  const total = { aggregation: 'count', columns: [{ dataObject: name, column: 'id' }], total: true }
  const others = Object.keys(model.dimensions ?? {}).filter(
    (d) => d !== time && reachedFrom(model, name).includes(model.dimensions![d]!.dataObject),
  )
  const metrics: Record<string, MetricJson> = {
    'range 1': prior(base()),
    'range 2': prior(base()),
    'run 1': running(),
    'run 2': running(),
    'run 3': folded(),
    'range 3': prior({ measure: random.pick(['range 1', 'range 2']) }),
    'range 4': prior({ measure: random.pick(['run 1', 'run 2']) }),
    'range 5': prior({ expression: `{[${random.pick(bases)}]} / {[all of ${name}]}` }),
    'range 7': previous,
    'range place 1': {
      type: 'window',
      windowFunction: random.pick(['rank', 'row_number', 'ntile']),
      buckets: 2,
      measure: random.pick(['range 1', 'range 2', 'run 1']),
      orderDirection: random.pick(['asc', 'desc']),
    },
    ...(others.length > 0 && {
      'spread 1': {
        type: 'aggregate',
        aggregation: random.pick(['sum', 'count', 'max']),
        measure: random.pick(['range 1', 'range 2', 'run 1']),
        per: random.some(others, 1),
      },
      'spread 2': {
        type: 'aggregate',
        aggregation: random.pick(['sum', 'count']),
        measure: random.pick(bases),
        per: random.some(others, 1),
      },
      'range 6': prior({ measure: 'spread 2' }),
    }),
  }
  return { measures: { [`all of ${name}`]: total }, metrics }
}

/** Sometimes a query of these metrics, with the time or without it. */
export function askedOfRanges(random: Random, model: ModelJson, query: QueryJson, mostly: boolean): QueryJson {
  const time = model.metrics?.['range 1']?.periodOverPeriod?.timeDimension
  if (time === undefined || query.dimensions_exclude || query.select.fields || !random.chance(mostly ? 0.9 : 0.06)) return query
  const { dataObject: name, column } = model.dimensions![time]!
  const reached = reachedFrom(model, name)
  const others = Object.entries(model.dimensions ?? {}).flatMap(([d, { dataObject, via, column: own }]) =>
    d !== time && via === undefined && own !== 'id' && reached.includes(dataObject) ? [d] : [],
  )
  const ours = Object.keys(model.metrics ?? {}).filter((metric) => NAME.test(metric))
  const measures = [
    ...random.some(ours, random.between(1, 2)),
    ...(random.chance(0.4) ? random.some([`${name} Count`, ...Object.keys(model.measures ?? {})], 1) : []),
  ]
  const grains = ['month', 'month', 'month', 'quarter', 'year', 'week', 'day', ...ofCalendars(model)]
  const at = random.chance(0.5) ? [`${time}:${random.pick(grains)}`] : []
  const again = at[0]?.endsWith(':month') && random.chance(0.15) ? [`${time}:year`] : []
  const dimensions = [...again, ...at, ...random.some(others, random.pick([0, 0, 1, 1, 2]))]
  const isDate = kindOf(model.dataObjects[name]!.columns[column!]!) === 'date'
  const where: FilterJson[] = [
    ...(random.chance(0.92) ? [rangeOf(random, time, isDate, isUntilNow(model))] : []),
    ...(random.chance(0.2) ? random.some(others, 1).flatMap((field) => filterOn(random, model, field)) : []),
  ]
  const top =
    dimensions.length > 0 && random.chance(0.08)
      ? { dimension: random.pick(dimensions), by: random.pick(ours), n: 2, ...(random.chance(0.5) && { others: 'rest' }) }
      : undefined
  return {
    select: { dimensions, measures: [...new Set(measures)] },
    ...(where.length > 0 && { where }),
    ...(random.chance(0.25) && { fill_gaps: random.pick([true, 'range', 'range'] as const) }),
    ...(dimensions.length > 0 && random.chance(0.4) && { grouping: random.pick(['rollup', 'rollup', 'cube'] as const) }),
    ...(random.chance(0.08) && { having: [{ field: random.pick(ours), op: 'gt', value: 0 }] }),
    ...(top && { top }),
    ...compared(random, model, { time, measures }),
  }
}

interface Compared {
  readonly time: string
  readonly measures: readonly string[]
}

/** Sometimes each number beside the same one of another period. */
function compared(random: Random, model: ModelJson, { time, measures }: Compared): Pick<QueryJson, 'compare'> {
  const isPlain = (one: string): boolean => {
    const measure = model.measures?.[one]
    return measure === undefined || (!isFuzzy(model, one) && !isTruth(measure))
  }
  const isAlone = (one: string): boolean => ['window', 'period_over_period'].includes(model.metrics?.[one]?.type ?? '')
  const isAsked = random.chance(0.15)
  if (!isAsked || !measures.every(isPlain) || measures.every(isAlone)) return {}
  const unit = random.pick([...UNITS, 'range', ...random.some(ofCalendars(model), 1)])
  const show = random.some(['previousValue', 'difference', 'percentChange'] as const, random.between(1, 2))
  return {
    compare: {
      time,
      unit,
      ...(random.chance(0.3) && { count: 2 }),
      ...(random.chance(0.7) && { show }),
      // Only numbers have a difference.
      ...(!measures.every((one) => isNumber(model, one)) && { show: ['previousValue'] }),
      ...(isUntilNow(model) && random.chance(0.3) && { until_now: true }),
    },
  }
}

/** Mostly one range, often one that cuts a period. */
function rangeOf(random: Random, field: string, isDate: boolean, isNear: boolean): FilterJson {
  const [a, b] = random.some(isNear ? NEAR : DAYS, 2).toSorted() as [string, string]
  const at = (day: string): Json =>
    isDate || random.chance(0.7) ? day : `${day}T${random.pick(['06:00:00', '09:30:00', '12:00:00'])}`
  const between: FilterJson = { field, op: 'between', value: [at(a), at(b)] }
  return random.pick<FilterJson>([
    between,
    between,
    between,
    {
      logic: 'and',
      filters: [
        { field, op: 'gte', value: at(a) },
        { field, op: 'lt', value: at(b) },
      ],
    },
    isNear
      ? { field, op: 'between', value: [at(a), '2026-02-28'] }
      : { field, op: 'between', value: ['2024-02-01', at(b > '2024-02-01' ? b : '2024-03-15')] },
    {
      field,
      op: 'between',
      value: random.pick([
        ...(isNear
          ? [
              ['2026-01-01', '2026-12-31'],
              ['2026-01-01', '2026-01-31'],
              ['2025-12-01', '2026-01-31'],
            ]
          : []),
        ['2024-02-01', '2024-02-29'],
        ['2024-01-01', '2024-03-31'],
        ['2023-01-01', '2023-12-31'],
      ]),
    },
    { field, op: random.pick(['gte', 'lt', 'lte', 'eq']), value: at(b) },
    { field, op: 'in', value: [a, b] },
  ])
}
