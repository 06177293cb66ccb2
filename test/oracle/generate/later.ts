/** The kinds beyond the basic language: ORACLE_LATER selects them (a comma list, or `all`; none by default). */
import type { GrainJson, MeasureJson, MetricJson, ModelJson } from '../model.js'
import { fannedOut, rarer } from './later-aggregations.js'
import { binned } from './later-fields.js'
import { aggregateMetric, balances, conversion, crossFacts, funnel, picks } from './later-rows.js'
import { isFuzzy, isNumber, isNumericMeasure, isSpread, isTruth } from './metrics.js'
import type { Random } from './random.js'

export const LATER = [
  'grain',
  'window',
  'pop',
  'grouping',
  'cumulative',
  'firstlast',
  'segments',
  'bins',
  'sets',
  'semi',
  'aggregate',
  'conversion',
  'nesting',
  'cross',
  'gaps',
  'grains',
  'aggregations',
  'fanout',
  'calendars',
  'nested',
  'zones',
  'ways',
  'bridges',
  'storage',
  'ends',
  'sentinels',
  'forever',
  'specials',
  'top',
  'sisters',
  'rows',
  'periods',
  'sorted',
  'star',
  'years',
  'terms',
  'parameters',
  'funnel',
  'validity',
  'ranges',
  'entities',
  'missing',
  'existence',
  'views',
  'windowed',
  'coarse',
  'trees',
  'shown',
] as const
export type Later = (typeof LATER)[number]

/** Kinds of data, which concern the contents of tables and not the queries. Not every engine supports them. */
export const KINDS_OF_DATA: ReadonlySet<Later> = new Set(['storage', 'ends', 'sentinels', 'forever', 'specials'])

/** Whether queries of every kind are generated, regardless of the data. Not every engine plans totals of what is shown. */
export const asksEverything = (later: readonly Later[]): boolean =>
  LATER.every((kind) => KINDS_OF_DATA.has(kind) || kind === 'shown' || later.includes(kind))

/** The names of runs, and their kinds. */
const NAMED = {
  'the basic language': '',
  'every kind of metric': 'all',
  'several ways and bridge tables': 'ways,bridges',
  'facts of the same objects': 'sisters',
  'compared periods': 'periods',
  'the order of values': 'sorted,bins,grouping,sets,window,top,gaps,calendars,zones',
  'facts around a calendar': 'star',
  'fiscal and retail years around a calendar': 'star,years',
  'periods that only a table of days knows': 'star,terms',
  funnels: 'funnel',
  'joins over time': 'validity,zones,grouping,top',
  parameters: 'parameters,segments,pop,aggregations,gaps',
  'ranges of time': 'ranges,calendars,zones,gaps',
  'missing values': 'missing,segments,bridges,pop,cumulative,grouping,top',
  existence: 'existence,grain,pop,cumulative,window,aggregate,conversion,funnel,semi,cross,bridges,ways,top',
  'windows as columns': 'windowed,existence,grain,pop,cumulative,window,aggregate,conversion,firstlast,grouping,top,bridges,ways',
  'coarse data': 'coarse,grain,pop,cumulative,window,aggregate,semi,cross,grouping,top,gaps,ranges,calendars,ways,bridges',
  'coarse data around a calendar': 'coarse,star',
  views: 'views,segments,grain,pop,cumulative,window,aggregate,grouping,top,sorted',
  'parent and child': 'trees,bridges,ways,existence,grain,pop,cumulative,window,aggregate,grouping,top',
  'totals of what is shown':
    'shown,grain,pop,cumulative,window,aggregate,conversion,semi,cross,grouping,sets,top,gaps,ranges,ways,bridges,nesting,coarse',
  'totals of what is shown around a calendar': 'shown,star',
  'measures as columns': 'entities,grain,pop,cumulative,window,aggregate,conversion,firstlast,grouping,top',
} as const

type NamedKinds = keyof typeof NAMED

export const kindsNamed = (name: NamedKinds): readonly Later[] => laterKinds(NAMED[name])

/** The names of all runs. */
export const namesOfKinds = (): readonly NamedKinds[] => Object.keys(NAMED) as NamedKinds[]

/** The kinds that a text names. Throws if it names something else. */
export function laterKinds(text = process.env['ORACLE_LATER'] ?? ''): readonly Later[] {
  const names = text.split(',').flatMap((n) => (n.trim() === '' ? [] : [n.trim()]))
  const kinds = names.flatMap((name): readonly Later[] => {
    if (name === 'all') return LATER
    const kind = LATER.find((k) => k === name)
    if (!kind) throw new Error(`ORACLE_LATER knows ${LATER.join(', ')} and all, not ${name}`)
    return [kind]
  })
  return [...new Set(kinds)]
}

/** The model with measures and metrics of the given kinds beside its own. */
export function extendModel(random: Random, model: ModelJson, kinds: readonly Later[]): ModelJson {
  let extended = model
  if (kinds.includes('bins')) extended = { ...extended, dimensions: { ...extended.dimensions, ...binned(random, extended) } }
  if (kinds.includes('grains'))
    extended = { ...extended, dimensions: { ...extended.dimensions, ...timesAgain(random, extended) } }
  if (kinds.includes('firstlast')) extended = { ...extended, measures: { ...extended.measures, ...picks(random, extended) } }
  if (kinds.includes('aggregations')) extended = { ...extended, measures: { ...extended.measures, ...rarer(random, extended) } }
  if (kinds.includes('fanout')) extended = { ...extended, measures: { ...extended.measures, ...fannedOut(random, extended) } }
  if (kinds.includes('grain'))
    extended = { ...extended, measures: { ...extended.measures, ...coarserMeasures(random, extended) } }
  if (kinds.includes('cross')) extended = { ...extended, measures: { ...extended.measures, ...crossFacts(random, extended) } }
  if (kinds.includes('semi')) extended = { ...extended, measures: { ...extended.measures, ...balances(random, extended) } }
  return withMetrics(random, extended, kinds)
}

/** The model with metrics of the given kinds; `prefix` begins their names. */
export function withMetrics(random: Random, model: ModelJson, kinds: readonly Later[], prefix = ''): ModelJson {
  let extended = model
  const nested = kinds.includes('nesting')
  for (const kind of ['conversion', 'funnel', 'aggregate', 'pop', 'cumulative', 'window'] as const) {
    if (!kinds.includes(kind)) continue
    for (let i = random.between(1, 3); i > 0; i--)
      extended = withMetric(extended, `${prefix}${kind} ${i}`, METRICS[kind](random, extended, nested))
  }
  for (let i = random.between(0, 2); i > 0; i--) extended = withMetric(extended, `${prefix}mix ${i}`, mixed(random, extended))
  return extended
}

/** Times under a second name, with their own grain. */
function timesAgain(random: Random, model: ModelJson): NonNullable<ModelJson['dimensions']> {
  const times = temporalDimensions(model).filter((n) => model.dimensions![n]!.timeGrain === undefined)
  if (random.chance(0.5)) return {}
  return Object.fromEntries(
    random
      .some(times, 1)
      .map((n) => [`${n} again`, { ...model.dimensions![n]!, timeGrain: random.pick(['day', 'month', 'quarter']) }]),
  )
}

const withMetric = (model: ModelJson, name: string, metric: MetricJson | undefined): ModelJson =>
  metric ? { ...model, metrics: { ...model.metrics, [name]: metric } } : model

/** The names of the additions. */
export const FRESH =
  /^(pop|cumulative|window|mix|semi|firstlast|cross|aggregate|conversion|funnel|rare|fanned|entity|over|found|within|count of|placed) |coarse$/

// ---- grain and filter context -----------------------------------------------------------------------------------------------------

function coarserMeasures(random: Random, model: ModelJson): Record<string, MeasureJson> {
  const originals = random.some(Object.entries(model.measures ?? {}), random.between(1, 3))
  return Object.fromEntries(originals.map(([name, measure]) => [`${name} coarse`, { ...measure, ...coarseness(random, model) }]))
}

function coarseness(random: Random, model: ModelJson): Partial<MeasureJson> {
  const roll = random.below(10)
  if (roll < 2) return { total: true, ...(random.chance(0.3) && { filterContext: context(random, model) }) }
  if (roll < 7) return { grain: grain(random, model), ...(random.chance(0.3) && { filterContext: context(random, model) }) }
  return { filterContext: context(random, model) }
}

const someNames = (random: Random, model: ModelJson): string[] =>
  random.some(Object.keys(model.dimensions ?? {}), random.between(1, 3))

function grain(random: Random, model: ModelJson): GrainJson {
  const names = someNames(random, model)
  return random.pick<GrainJson>([
    { mode: 'FIXED', include: names.slice(0, 1) },
    { mode: 'FIXED', keepOnly: names },
    { mode: 'FIXED' },
    { mode: 'RELATIVE', exclude: names },
    { mode: 'RELATIVE', exclude: names.slice(0, 1) },
  ])
}

function context(random: Random, model: ModelJson): GrainJson {
  const names = someNames(random, model)
  return random.pick<GrainJson>([
    { mode: 'RELATIVE', exclude: names },
    { mode: 'RELATIVE', exclude: names.slice(0, 1) },
    { mode: 'RELATIVE', keepOnly: names },
    { mode: 'FIXED' },
    { mode: 'FIXED', include: names },
  ])
}

// ---- metrics ----------------------------------------------------------------------------------------------------------------------

const METRICS = { pop: priorPeriod, cumulative, window: windowed, aggregate: aggregateMetric, conversion, funnel }

const reference = (name: string): string => `{[${name}]}`

/** Every measure, row count and metric; only numbers if `numeric`. */
export function operands(model: ModelJson, numeric: boolean): string[] {
  const measures = Object.entries(model.measures ?? {}).filter(
    ([, m]) => m.aggregation !== 'approx_count_distinct' && (!numeric || isNumericMeasure(model.dataObjects, m)) && !isTruth(m),
  )
  const metrics = Object.keys(model.metrics ?? {}).filter((n) => !numeric || isNumber(model, n))
  return [...measures.map(([n]) => n), ...metrics, ...Object.keys(model.dataObjects).map((o) => `${o} Count`)]
}

/** Bases of prior and running values: over each other only if they are `nested`. */
function bases(random: Random, model: ModelJson, numeric: boolean, nested: boolean): string[] {
  const all = operands(model, numeric)
  const running = all.filter((n) => !isStraight(model, n))
  return nested && running.length > 0 && random.chance(0.4) ? running : all.filter((n) => isStraight(model, n))
}

function isStraight(model: ModelJson, name: string): boolean {
  const metric = model.metrics?.[name]
  if (!metric || metric.type === 'conversion' || metric.type === 'funnel') return true
  return ['derived', 'aggregate'].includes(metric.type ?? 'derived') && componentsOf(metric).every((c) => isStraight(model, c))
}

export const componentsOf = ({ expression, measure, base, conversion, steps = [] }: MetricJson): string[] =>
  expression === undefined
    ? [measure, base, conversion, ...steps.map((step) => step.measure)].filter((n) => n !== undefined)
    : [...expression.matchAll(/\[([^\]]+)\]/g)].map((m) => m[1]!)

export function temporalDimensions(model: ModelJson): string[] {
  return Object.entries(model.dimensions ?? {}).flatMap(([name, { dataObject, column }]) =>
    ['date', 'timestamp', 'timestamp_tz'].includes(
      // A calendar without a table declares no columns.
      model.dataObjects[dataObject]!.columns[column!]?.abstractType ?? model.dimensions![name]!.resultType ?? '',
    )
      ? [name]
      : [],
  )
}

function priorPeriod(random: Random, model: ModelJson, nested: boolean): MetricJson | undefined {
  const times = temporalDimensions(model)
  if (times.length === 0) return undefined
  const names = bases(random, model, true, nested)
  const [a, b] = [reference(random.pick(names)), reference(random.pick(names))] as const
  const anything = random.chance(0.1)
  const base = anything
    ? { measure: random.pick(bases(random, model, false, nested)) }
    : random.chance(0.3)
      ? { measure: random.pick(names) }
      : { expression: random.pick([a, a, a, `${a} - ${b}`, `${a} / ${b}`, `coalesce(${a}, 0) + ${b}`]) }
  const comparison = anything ? 'previousValue' : random.pick(['previousValue', 'difference', 'ratio', 'percentChange'])
  const offsetGrain = random.pick([undefined, undefined, 'week', 'month', 'month', 'quarter', 'year', 'year'])
  const toStart = random.chance(0.12) ? random.pick(['week', 'month', 'quarter', 'year', 'year']) : undefined
  return {
    type: 'period_over_period',
    ...base,
    periodOverPeriod: {
      timeDimension: random.pick(times),
      ...(toStart === undefined && { offset: random.pick([-1, -1, -1, -2, -3, 1]) }),
      comparison,
      ...(random.chance(0.3) && { grain: random.pick(['day', 'week', 'month', 'quarter']) }),
      ...(toStart === undefined ? offsetGrain !== undefined && { offsetGrain } : { offsetToGrain: toStart }),
    },
    ...(random.chance(0.1) && !anything && { dataType: 'decimal(30, 3)' }),
  }
}

function cumulative(random: Random, model: ModelJson, nested: boolean): MetricJson | undefined {
  const times = temporalDimensions(model)
  if (times.length === 0) return undefined
  const cumulativeType = random.pick([undefined, undefined, undefined, 'sum', 'avg', 'min', 'max', 'count'])
  const extent = random.below(3)
  return {
    type: 'cumulative',
    measure: random.pick(
      bases(random, model, cumulativeType !== undefined || random.chance(0.85), nested && cumulativeType !== undefined),
    ),
    timeDimension: random.pick(times),
    ...(cumulativeType !== undefined && { cumulativeType }),
    ...(extent === 1 && { window: random.between(1, 4) }),
    ...(extent === 1 && random.chance(0.3) && { windowGrain: random.pick(['day', 'week', 'month', 'quarter', 'year']) }),
    ...(extent === 2 && { grainToDate: random.pick(['year', 'year', 'quarter', 'month']) }),
    ...(extent > 0 && random.chance(0.2) && { onlyFull: true }),
    ...(random.chance(0.25) && { partitionBy: random.some(Object.keys(model.dimensions ?? {}), random.between(0, 2)) }),
  }
}

function windowed(random: Random, model: ModelJson): MetricJson | undefined {
  const timed = random.chance(0.45) ? random.some(temporalDimensions(model), 1)[0] : undefined
  const names = operands(model, random.chance(0.85)).filter((n) => timed !== undefined || !isFuzzy(model, n))
  if (names.length === 0) return undefined
  const windowFunction = random.pick(['rank', 'dense_rank', 'row_number', 'ntile', 'lag', 'lead', 'first_value', 'last_value'])
  const measure = random.pick(names)
  const shifts = windowFunction === 'lag' || windowFunction === 'lead'
  return {
    type: 'window',
    windowFunction,
    measure,
    ...(timed !== undefined && { timeDimension: timed }),
    ...(windowFunction === 'ntile' && { buckets: random.between(1, 4) }),
    ...(shifts && random.chance(0.4) && { offset: random.between(1, 2) }),
    ...(shifts && isNumber(model, measure) && random.chance(0.3) && { defaultValue: 0 }),
    ...(random.chance(0.4) && { orderDirection: random.pick(['asc', 'desc'] as const) }),
    ...(random.chance(0.5) && { partitionBy: random.some(Object.keys(model.dimensions ?? {}), random.between(1, 3)) }),
  }
}

/** A formula that combines some of the new ones with others. */
function mixed(random: Random, model: ModelJson): MetricJson | undefined {
  const names = operands(model, true)
  const fresh = names.filter((n) => FRESH.test(n))
  if (fresh.length === 0) return undefined
  const [of, other] = [random.pick(fresh), random.pick(names)] as const
  const [a, b] = [reference(of), reference(other)] as const
  const ratio = isSpread(model, of) ? `${b} - ${a}` : `${b} / ${a}`
  return { expression: random.pick([`${a} - ${b}`, ratio, `coalesce(${a}, 0) + ${b}`, `${a} * 2`]) }
}
