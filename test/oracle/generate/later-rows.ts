/** Measures and metrics of the later kinds that read rows: balances, aggregates of aggregates, conversions. */
import type { LeafJson, MeasureJson, MetricJson, ModelJson } from '../model.js'
import { type Kind, kindOf } from '../world.js'
import { filterLeaf } from './filters.js'
import { operands, temporalDimensions } from './later.js'
import { addresses, parentsOf } from './measures.js'
import { isFuzzy, isNumericMeasure } from './metrics.js'
import type { Random } from './random.js'

// ---- balances ---------------------------------------------------------------------------------------------------------------------

export function balances(random: Random, model: ModelJson): Record<string, MeasureJson> {
  const numeric = Object.entries(model.measures ?? {}).filter(
    ([, m]) => isNumericMeasure(model.dataObjects, m) && m.aggregation !== 'approx_count_distinct',
  )
  return Object.fromEntries(
    random.some(numeric, random.between(1, 3)).flatMap(([name, measure]) => {
      const near = homesOf(measure).flatMap((home) => reachedFrom(model, home))
      const timeDimension = random.some(nearby(random, model, temporalDimensions(model), near), 1)[0]
      if (timeDimension === undefined) return []
      const per = random.some(nearby(random, model, Object.keys(model.dimensions ?? {}), near), random.pick([0, 1, 1, 2]))
      const take = random.pick(['last', 'last', 'last', 'first', 'avg', 'min', 'max'] as const)
      return [[`semi ${name}`, { ...measure, semiAdditive: { timeDimension, take, ...(per.length > 0 && { per }) } }]]
    }),
  )
}

export const homesOf = ({ columns = [], expression = '' }: MeasureJson): string[] => [
  ...columns.map((c) => c.dataObject),
  ...[...expression.matchAll(/\{\[([^\]]+)\]\./g)].map((m) => m[1]!),
]

/** By the joins that objects declare, and out of arrays. */
export function reachedFrom(model: ModelJson, from: string, seen: readonly string[] = []): string[] {
  if (seen.includes(from)) return []
  return [from, ...parentsOf(model.dataObjects[from]!).flatMap((n) => reachedFrom(model, n, [...seen, from]))]
}

/** Mostly the dimensions on objects that are `near`. */
function nearby(random: Random, model: ModelJson, names: readonly string[], near: readonly string[]): readonly string[] {
  const close = names.filter((n) => near.includes(model.dimensions![n]!.dataObject))
  return close.length > 0 && random.chance(0.85) ? close : names
}

// ---- first and last ---------------------------------------------------------------------------------------------------------------

/** The first or last value of a column, ordered by columns of its own object or of a joined one. */
export function picks(random: Random, model: ModelJson): Record<string, MeasureJson> {
  const objects = random.some(Object.keys(model.dataObjects), random.between(1, 3))
  return Object.fromEntries(
    objects.flatMap((dataObject, i) => {
      const columns = addresses(model.dataObjects, dataObject).filter((c) => c.kind !== 'boolean')
      if (columns.length === 0) return []
      const parents = reachedFrom(model, dataObject).flatMap((o) => addresses(model.dataObjects, o))
      const orders = random
        .some(random.chance(0.8) ? columns : parents, random.pick([0, 1, 1, 2]))
        .map(({ dataObject, column }) => ({
          column: { dataObject, column },
          ...(random.chance(0.5) && { order: random.pick(['asc', 'desc', 'DESC'] as const) }),
        }))
      const { columns: all, nestedIn } = model.dataObjects[dataObject]!
      const keyed = nestedIn !== undefined || Object.values(all).some((c) => c.primaryKey)
      if (orders.length === 0 && !keyed) return []
      const { column } = random.pick(columns)
      const measure: MeasureJson = {
        aggregation: random.pick(['first', 'last']),
        columns: [{ dataObject, column }],
        ...(orders.length > 0 && { orderBy: orders }),
      }
      return [[`firstlast ${i}`, measure]]
    }),
  )
}

// ---- several facts ----------------------------------------------------------------------------------------------------------------

/** Formulas over numbers of two or three objects, none of which reaches the others, and which all join to one object. */
export function crossFacts(random: Random, model: ModelJson): Record<string, MeasureJson> {
  const names = Object.keys(model.dataObjects)
  const pairs = names.flatMap((a) => names.flatMap((b) => (a < b && isCross(model, a, b) ? [[a, b] as const] : [])))
  return Object.fromEntries(
    random.some(pairs, 2).flatMap(([a, b], i) => {
      const shared = reachedFrom(model, a).filter((o) => reachedFrom(model, b).includes(o))
      const [x, y] = [numberOf(random, model, a), numberOf(random, model, b)]
      const z = random.chance(0.3) ? numberOf(random, model, random.pick(shared)) : undefined
      if (!x || !y) return []
      const formula = random.pick([
        `${x} - ${y}`,
        `coalesce(${x}, 0) - coalesce(${y}, 0)`,
        `${x} * 2 + ${y}`,
        `CASE WHEN ${x} > ${y} THEN ${x} ELSE 0 END`,
      ])
      const measure: MeasureJson = {
        aggregation: random.pick(['sum', 'sum', 'count', 'min', 'max', 'avg', 'count_distinct']),
        expression: z ? `${formula} + ${z}` : formula,
        ...(random.chance(0.4) && { anchor: random.pick(shared) }),
        ...(random.chance(0.15) && { defaultValue: 0 }),
        ...(random.chance(0.2) && { filters: [filterOn(random, model, random.pick([a, b, ...shared]))] }),
      }
      return [[`cross ${i}`, measure]]
    }),
  )
}

function isCross(model: ModelJson, a: string, b: string): boolean {
  const [from, to] = [reachedFrom(model, a), reachedFrom(model, b)]
  return !from.includes(b) && !to.includes(a) && from.some((o) => to.includes(o))
}

function numberOf(random: Random, model: ModelJson, dataObject: string): string | undefined {
  const numbers = addresses(model.dataObjects, dataObject).filter((c) => ['int', 'decimal', 'float'].includes(c.kind))
  const [column] = random.some(numbers, 1)
  return column && `{[${dataObject}].[${column.column}]}`
}

export function filterOn(random: Random, model: ModelJson, dataObject: string): LeafJson {
  const { column, kind } = random.pick(addresses(model.dataObjects, dataObject))
  return filterLeaf(random, `${dataObject}.${column}`, kind, true)
}

// ---- aggregates of aggregates -----------------------------------------------------------------------------------------------------

const FOLDS = [
  'sum',
  'avg',
  'min',
  'max',
  'count',
  'count_distinct',
  'any_value',
  'median',
  'mode',
  'stddev_samp',
  'var_pop',
] as const

export function aggregateMetric(random: Random, model: ModelJson): MetricJson {
  const fold = random.pick(FOLDS)
  const anything = ['min', 'max', 'count', 'any_value', 'mode'].includes(fold) && random.chance(0.1)
  const measure = random.pick(operands(model, !anything))
  const home = model.measures?.[measure] ? homesOf(model.measures[measure]) : []
  const near = home.flatMap((h) => reachedFrom(model, h))
  const per = random.some(nearby(random, model, Object.keys(model.dimensions ?? {}), near), random.between(1, 2))
  // Engines agree on a computed double to nine digits, so they may not agree on the number of distinct ones.
  const told = ['count_distinct', 'mode'].includes(fold) && isFuzzy(model, measure) ? 'max' : fold
  return { type: 'aggregate', measure, aggregation: told, per }
}

// ---- conversions ------------------------------------------------------------------------------------------------------------------

export function conversion(random: Random, model: ModelJson): MetricJson | undefined {
  const counts = countsOf(model)
  const [base, converted] = [random.pick(counts), random.pick(counts)]
  const [from, to] = [reachedFrom(model, base.home), reachedFrom(model, converted.home)]
  const timesOn = (objects: readonly string[]) => temporalDimensions(model).filter((d) => objects.includes(objectOf(model, d)))
  const timeDimension = random.some(timesOn(from), 1)[0]
  if (timeDimension === undefined) return undefined
  const kind = kindOfDimension(model, timeDimension)
  const conversionTime = random.some(
    timesOn(to).filter((d) => kindOfDimension(model, d) === kind),
    1,
  )[0]
  const entities = Object.keys(model.dimensions ?? {}).filter(
    (d) => from.includes(objectOf(model, d)) && to.includes(objectOf(model, d)),
  )
  if (conversionTime === undefined || entities.length === 0) return undefined
  const windows = [
    '1d',
    '7 days',
    '1 month',
    '2 months',
    '60d',
    '1 year',
    '2w',
    '1 quarter',
    ...(kind === 'timestamp' ? ['12h', '90 minutes'] : []),
  ]
  return {
    type: 'conversion',
    base: base.name,
    conversion: converted.name,
    entity: random.pick(entities),
    timeDimension,
    ...((conversionTime !== timeDimension || random.chance(0.5)) && { conversionTimeDimension: conversionTime }),
    window: random.pick(windows),
    ...(random.chance(0.6) && { calculation: random.pick(['rate', 'count'] as const) }),
  }
}

/** Up to four steps, of which several may be events of one kind. */
export function funnel(random: Random, model: ModelJson): MetricJson | undefined {
  const counts = countsOf(model)
  const kind = random.pick(['date', 'timestamp'] as const)
  const timesOf = ({ home }: Counting): readonly string[] => {
    const near = reachedFrom(model, home)
    return temporalDimensions(model).filter((d) => near.includes(objectOf(model, d)) && typeOfDimension(model, d) === kind)
  }
  const timed = counts.filter((c) => timesOf(c).length > 0)
  if (timed.length === 0) return undefined
  const chosen = Array.from({ length: random.between(1, 4) }, () => random.pick(timed))
  const steps = chosen.map((c) => ({ measure: c.name, timeDimension: random.pick(timesOf(c)) }))
  const entities = Object.keys(model.dimensions ?? {}).filter((d) =>
    chosen.every(({ home }) => reachedFrom(model, home).includes(objectOf(model, d))),
  )
  const plain = entities.filter((d) => model.dimensions![d]!.via === undefined && model.dimensions![d]!.timeGrain === undefined)
  if (plain.length === 0) return undefined
  return {
    type: 'funnel',
    steps,
    entity: random.pick(plain),
    window: random.pick(['1d', '30 days', '60d', '1 month', '2 months', '1 year', '2 years']),
    ...(random.chance(0.7) && { step: random.between(1, steps.length) }),
    ...(random.chance(0.7) && { calculation: random.pick(['rate', 'count', 'count', 'rateOfPrevious'] as const) }),
    ...(random.chance(0.4) && { distinct: true }),
  }
}

const typeOfDimension = (model: ModelJson, name: string): string => {
  const { dataObject, column } = model.dimensions![name]!
  return model.dataObjects[dataObject]!.columns[column!]!.abstractType
}

const objectOf = (model: ModelJson, name: string): string => model.dimensions![name]!.dataObject

function kindOfDimension(model: ModelJson, name: string): Kind {
  const { dataObject, column } = model.dimensions![name]!
  return kindOf(model.dataObjects[dataObject]!.columns[column!]!)
}

interface Counting {
  readonly name: string
  readonly home: string
}

/** Row counts, and measures that count rows. */
const countsOf = (model: ModelJson): readonly Counting[] => [
  ...Object.keys(model.dataObjects).map((home) => ({ name: `${home} Count`, home })),
  ...Object.entries(model.measures ?? {}).flatMap(([name, m]) =>
    m.aggregation === 'count' && !m.distinct && !m.semiAdditive && m.columns?.length === 1
      ? [{ name, home: m.columns[0]!.dataObject }]
      : [],
  ),
]
