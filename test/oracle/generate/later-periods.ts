/** Facts whose rows lie in few neighbouring periods, and comparisons of these periods by other dimensions: members come, go and return. */
import type { FilterJson, MetricJson, ModelJson, PlainRow, QueryJson, Tables } from '../model.js'
import { storageOf } from '../storage.js'
import { kindOf } from '../world.js'
import { filterOn } from './later-ever.js'
import { baseOf } from './later-names.js'
import { reachedFrom } from './later-rows.js'
import { isFuzzy, isNumericMeasure, isTruth } from './metrics.js'
import type { Random } from './random.js'

/** Neighbouring months, quarters and years, and ends of months. */
const DAYS = [
  '2023-01-20',
  '2023-02-11',
  '2023-12-05',
  '2024-01-03',
  '2024-01-31',
  '2024-02-10',
  '2024-02-29',
  '2024-03-01',
  '2024-05-31',
]

const NAME = /^(period|lost|place|losses) \d$/

export interface Fact {
  readonly name: string
  /** Its time, as a dimension. */
  readonly time: string
}

/** The facts with their own key, and a time of theirs. */
export function factsOf({ dataObjects, dimensions = {} }: ModelJson): readonly Fact[] {
  return Object.entries(dimensions).flatMap(([time, { dataObject: name, column, via, timeGrain }]) => {
    const { columns, nestedIn, joins = [] } = dataObjects[name]!
    if (column === undefined || via !== undefined || timeGrain !== undefined || nestedIn || !columns['id']?.primaryKey) return []
    const isOnce = joins.some(({ joinType }) => joinType === 'one-to-one')
    if (isOnce || Object.values(columns).filter((c) => c.primaryKey).length > 1) return []
    return ['date', 'timestamp'].includes(kindOf(columns[column]!)) && !storageOf(columns[column]!) ? [{ name, time }] : []
  })
}

/** The model with metrics that compare periods of one fact, and with more rows of it in these periods. */
export function withPeriods(
  random: Random,
  model: ModelJson,
  data: Tables,
): { readonly model: ModelJson; readonly data: Tables } {
  const [fact] = random.some(factsOf(model), 1)
  if (!fact) return { model, data }
  const metrics = metricsOf(random, model, fact)
  return {
    model: { ...model, metrics: { ...model.metrics, ...metrics } },
    data: { ...data, [fact.name]: rowsIn(random, model, fact, data[fact.name]!) },
  }
}

export function rowsIn(
  random: Random,
  { dataObjects, dimensions }: ModelJson,
  fact: Fact,
  rows: readonly PlainRow[],
  days: readonly string[] = DAYS,
): readonly PlainRow[] {
  const column = dimensions![fact.time]!.column!
  const { columns, uniqueKeys = [] } = dataObjects[fact.name]!
  const isDate = kindOf(columns[column]!) === 'date'
  const ids = rows.map((row) => Number(row['id']))
  const unset = Object.fromEntries(uniqueKeys.flat().map((name) => [name, null]))
  const more =
    rows.length === 0
      ? []
      : Array.from({ length: 8 }, (_, i) => ({ ...random.pick(rows), ...unset, id: Math.max(...ids) + 1 + i }))
  return [...rows, ...more].map((row) => {
    if (random.chance(0.1)) return row
    const day = random.pick(days)
    return { ...row, [column]: isDate ? day : `${day} ${random.pick(['00:00:00', '09:30:00'])}` }
  })
}

function metricsOf(random: Random, model: ModelJson, { name, time }: Fact): Readonly<Record<string, MetricJson>> {
  const own = Object.entries(model.measures ?? {}).flatMap(([of, measure]) => {
    const isPlain = measure.semiAdditive === undefined && measure.aggregation !== 'approx_count_distinct' && !isTruth(measure)
    return baseOf(measure) === name && isPlain && isNumericMeasure(model.dataObjects, measure) && !isFuzzy(model, of) ? [of] : []
  })
  const bases = [...own, `${name} Count`, `${name} Count`]
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
      comparison: random.pick(['previousValue', 'previousValue', 'difference', 'ratio', 'percentChange']),
      ...(random.chance(0.6) && { offsetGrain: random.pick(['month', 'year', 'year']) }),
      ...(random.chance(0.12) && { rows: 'current' as const }),
    },
  })
  const before: MetricJson = { ...prior({ measure: random.pick(bases) }) }
  const named: Record<string, MetricJson> = {
    'period 1': prior(base()),
    'period 2': prior(base()),
    'period 3': { ...before, periodOverPeriod: { ...before.periodOverPeriod!, comparison: 'previousValue' } },
    'period 4': prior({ measure: random.pick(['period 1', 'period 3']) }),
    'lost 1': {
      expression: `CASE WHEN coalesce({[${random.pick(bases)}]}, 0) ${random.pick(['= 0', '<= 1'])} AND {[period 3]} > 0 THEN 1 END`,
    },
    'place 1': {
      type: 'window',
      windowFunction: random.pick(['rank', 'row_number', 'lag']),
      measure: 'period 1',
      orderDirection: random.pick(['asc', 'desc']),
    },
    'place 2': { type: 'window', windowFunction: random.pick(['dense_rank', 'ntile']), buckets: 2, measure: 'lost 1' },
  }
  const others = Object.keys(model.dimensions ?? {}).filter(
    (d) => d !== time && reachedFrom(model, name).includes(model.dimensions![d]!.dataObject),
  )
  return others.length === 0
    ? named
    : {
        ...named,
        'losses 1': {
          type: 'aggregate',
          aggregation: random.pick(['sum', 'count']),
          measure: 'lost 1',
          per: random.some(others, 1),
        },
      }
}

/** Sometimes a query that compares periods by other dimensions of their fact, beside other measures. */
export function askedOfPeriods(random: Random, model: ModelJson, query: QueryJson, mostly: boolean): QueryJson {
  const compared = model.metrics?.['period 1']?.periodOverPeriod
  if (!compared || query.dimensions_exclude || query.select.fields || !random.chance(mostly ? 0.85 : 0.06)) return query
  const { timeDimension: time } = compared
  const name = model.dimensions![time]!.dataObject
  const reached = reachedFrom(model, name)
  const others = Object.entries(model.dimensions ?? {}).flatMap(([d, { dataObject, via, column }]) =>
    d !== time && via === undefined && column !== 'id' && reached.includes(dataObject) ? [d] : [],
  )
  const ours = Object.keys(model.metrics ?? {}).filter((metric) => NAME.test(metric))
  const measures = [
    ...random.some(ours, random.between(1, 2)),
    ...(random.chance(0.5) ? random.some([`${name} Count`, ...Object.keys(model.measures ?? {})], 1) : []),
  ]
  const at = `${time}:${random.pick(['month', 'month', 'month', 'quarter', 'year', 'day'])}`
  const again = random.chance(0.1) && at.endsWith('month') ? [`${time}:year`] : []
  const dimensions = [at, ...again, ...random.some(others, random.pick([1, 1, 1, 2, 0]))]
  const where: FilterJson[] = [
    ...(random.chance(0.4)
      ? [{ field: time, op: random.pick(['gte', 'gte', 'lt']), value: random.pick(['2024-01-01', '2024-02-01', '2024-02-10']) }]
      : []),
    ...(random.chance(0.25) ? random.some(others, 1).flatMap((field) => filterOn(random, model, field)) : []),
  ]
  return {
    select: { dimensions, measures: [...new Set(measures)] },
    ...(where.length > 0 && { where }),
    ...(random.chance(0.3) && { fill_gaps: random.pick([true, 'range'] as const) }),
    ...(random.chance(0.12) && { grouping: 'rollup' as const }),
    ...(random.chance(0.1) && { having: [{ field: random.pick(ours), op: 'gt', value: 0 }] }),
    ...(random.chance(0.3) && { order_by: [{ field: at }] }),
  }
}
