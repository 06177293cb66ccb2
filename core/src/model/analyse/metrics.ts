import { entryOf, firstOf, isWhole } from '../../invariant.js'
import type { MetricDocument } from '../document.js'
import type { Expr, FieldRef } from '../expression/ast.js'
import { AGGREGATE_ALIASES } from '../functions/aggregates.js'
import { sortGraph } from '../graph.js'
import { offsetPeriods } from '../offset-periods.js'
import type { Segments } from '../parse/locate.js'
import {
  type AggregateMetric,
  type ConversionMetric,
  type CumulativeMetric,
  componentsOf,
  type Dimension,
  type FunnelMetric,
  type Measure,
  type Metric,
  type PeriodMetric,
  type WindowMetric,
} from '../semantic-model.js'
import { grainOf } from './calendars.js'
import { type Context, describedOf, entriesOf, expression, gradedOf, splitReference } from './context.js'
import { displayedAsBase } from './displayed-as-base.js'
import { duration } from './duration.js'
import { checkDimension, checkTimeDimension, readDataType } from './measures.js'
import { withTypes } from './metric-types.js'
import { readUnit } from './units.js'

interface Known {
  readonly measures: ReadonlyMap<string, Measure>
  readonly dimensions: ReadonlyMap<string, Dimension>
  /** Metrics that are read already. */
  readonly metrics?: ReadonlyMap<string, Metric>
}

export function* readMetrics(known: Known, context: Context): Generator<undefined, ReadonlyMap<string, Metric>> {
  const metrics = new Map<string, Metric>()
  for (const [name, entry] of entriesOf(context.document.metrics)) {
    yield
    const segments = ['metrics', name]
    if (context.isBroken(segments)) continue
    const metric = readMetric({ name, entry, segments }, known, context)
    if (metric) metrics.set(name, metric)
  }
  const read = known.metrics ?? NO_METRICS
  const all = read.size === 0 ? metrics : new Map([...read, ...metrics])
  const order = yield* componentsFirst(metrics.keys(), all, context)
  checkRunningBases(order, all, context)
  const typed = yield* withTypes(order, { all, read }, known.measures, context)
  const made = displayedAsBase(order, typed, known.measures)
  yield
  return read.size === 0 ? made : new Map([...metrics.keys()].map((name) => [name, entryOf(made, name)]))
}

const NO_METRICS: ReadonlyMap<string, Metric> = new Map()

/** A metric as the model writes it, and its place. */
interface WrittenMetric {
  readonly name: string
  readonly entry: MetricDocument
  readonly segments: Segments
}

function readMetric({ name, entry, segments }: WrittenMetric, known: Known, context: Context): Metric | undefined {
  const base = {
    name,
    dataType: readDataType(entry.dataType, segments, context),
    format: entry.format,
    unit: readUnit(entry.unit, { segments, owner: undefined, ofMetric: true }, context),
    ...describedOf(entry),
    ...gradedOf(entry),
  }
  const type = entry.type ?? 'derived'
  if (type === 'derived') {
    if (!has(entry, ['expression'], segments, context)) return undefined
    const parsed = metricExpression(entry.expression, segments, known, context)
    return parsed && { ...base, type, expression: parsed }
  }
  const read = READERS[type](entry, segments, known, context)
  return read && { ...base, ...read }
}

/** The properties of a kind of metric besides its name and description. */
type Kind<M extends Metric> = Omit<
  M,
  'name' | 'dataType' | 'format' | 'unit' | 'description' | 'owner' | 'synonyms' | 'status' | 'use' | 'hidden'
>
type AnyKind =
  | Kind<WindowMetric>
  | Kind<PeriodMetric>
  | Kind<CumulativeMetric>
  | Kind<AggregateMetric>
  | Kind<ConversionMetric>
  | Kind<FunnelMetric>
type ReadMetric = (entry: MetricDocument, segments: Segments, known: Known, context: Context) => AnyKind | undefined

/** The periods of a table of days that an offset counts; `undefined` if it counts a grain. */
function countedPeriods(
  { offsetGrain: name }: { readonly offsetGrain?: string | undefined },
  time: Dimension | undefined,
  { grains, objects }: Context,
) {
  if (name === undefined || grains.has(name)) return undefined
  return offsetPeriods(
    name,
    time,
    [...objects.values()].flatMap(({ object }) => object ?? []),
  )
}

/** The unit of an offset that counts lengths of the times of the query. */
const RANGE = 'range'

const READERS: Readonly<Record<Exclude<Metric['type'], 'derived'>, ReadMetric>> = {
  cumulative(entry, segments, known, context) {
    const sound = has(entry, ['measure', 'timeDimension'], segments, context)
    checkPartition(entry, segments, context)
    if (entry.timeDimension !== undefined)
      checkTimeDimension(entry.timeDimension, [...segments, 'timeDimension'], known.dimensions, context)
    if (entry.window !== undefined && !isPositive(entry.window))
      invalid([...segments, 'window'], 'window counts calendar periods: a positive whole number', context)
    if (entry.window !== undefined && entry.grainToDate !== undefined)
      invalid(segments, "'window' and 'grainToDate' exclude each other", context)
    if (entry.windowGrain !== undefined && entry.window === undefined)
      invalid([...segments, 'windowGrain'], "windowGrain is the unit of 'window', which is missing", context)
    if (entry.onlyFull && entry.window === undefined && entry.grainToDate === undefined)
      invalid(
        [...segments, 'onlyFull'],
        "onlyFull shows no value while the window is not full, and this metric runs over all times: add 'window' or 'grainToDate', or remove onlyFull",
        context,
      )
    if (!sound || !knowsField({ name: entry.measure }, [...segments, 'measure'], known, context)) return undefined
    return {
      type: 'cumulative',
      measure: entry.measure,
      timeDimension: entry.timeDimension,
      cumulativeType: entry.cumulativeType,
      window: typeof entry.window === 'number' ? entry.window : undefined,
      windowGrain: grainOf(entry.windowGrain, [...segments, 'windowGrain'], context),
      grainToDate: grainOf(entry.grainToDate, [...segments, 'grainToDate'], context),
      onlyFull: entry.onlyFull ?? false,
      untilNow: entry.untilNow ?? false,
      partitionBy: entry.partitionBy,
    }
  },
  period_over_period(entry, segments, known, context) {
    const period = entry.periodOverPeriod
    const sound = has(entry, ['periodOverPeriod'], segments, context)
    const hasBase = entry.measure !== undefined || has(entry, ['expression'], segments, context)
    if (period)
      checkTimeDimension(period.timeDimension, [...segments, 'periodOverPeriod', 'timeDimension'], known.dimensions, context)
    if (period?.offset === 0)
      invalid([...segments, 'periodOverPeriod', 'offset'], 'An offset of 0 compares a period with itself', context)
    if (period?.offsetToGrain !== undefined && (period.offset !== undefined || period.offsetGrain !== undefined))
      invalid(
        [...segments, 'periodOverPeriod', 'offsetToGrain'],
        "'offsetToGrain' compares with the first period of a grain, and takes no 'offset' or 'offsetGrain'",
        context,
      )
    if (!sound || !hasBase || !period) return undefined
    const base = periodBase(entry, segments, known, context)
    if (!base) return undefined
    const {
      timeDimension,
      offset = -1,
      comparison = 'previousValue',
      compare = 'elapsed',
      rows = 'all',
      untilNow = false,
    } = period
    const counted = countedPeriods(period, known.dimensions.get(period.timeDimension), context)
    const [grain, offsetGrain, offsetToGrain] = (['grain', 'offsetGrain', 'offsetToGrain'] as const).map((key) =>
      grainOf(
        key === 'offsetGrain' && (period[key] === RANGE || counted) ? undefined : period[key],
        [...segments, 'periodOverPeriod', key],
        context,
      ),
    )
    const offsets = { grain, offset, offsetGrain, offsetPeriods: counted, byRange: period.offsetGrain === RANGE, offsetToGrain }
    return { type: 'period_over_period', expression: base, timeDimension, ...offsets, comparison, compare, rows, untilNow }
  },
  window(entry, segments, known, context) {
    const sound = has(entry, ['windowFunction', 'measure'], segments, context)
    checkPartition(entry, segments, context)
    checkWindowNumbers(entry, segments, context)
    if (entry.timeDimension !== undefined)
      checkTimeDimension(entry.timeDimension, [...segments, 'timeDimension'], known.dimensions, context)
    if (!sound || !knowsField({ name: entry.measure }, [...segments, 'measure'], known, context)) return undefined
    return {
      type: 'window',
      function: entry.windowFunction,
      measure: entry.measure,
      offset: entry.offset ?? 1,
      buckets: entry.buckets,
      descending: entry.orderDirection === undefined ? undefined : entry.orderDirection === 'desc',
      timeDimension: entry.timeDimension,
      partitionBy: entry.partitionBy ?? [],
      defaultValue: entry.defaultValue,
    }
  },
  aggregate(entry, segments, known, context) {
    const sound = has(entry, ['measure', 'aggregation', 'per'], segments, context)
    for (const [i, name] of (entry.per ?? []).entries())
      checkDimension(name, [...segments, 'per', i], context, 'UNKNOWN_DIMENSION')
    const aggregation = entry.aggregation && foldingName(entry.aggregation)
    if (aggregation !== undefined && !FOLDING.has(aggregation)) {
      const message = `'${entry.aggregation}' is not an aggregation of one value per group`
      context.faults.unknown('INVALID_METRIC', [...segments, 'aggregation'], {
        message,
        name: aggregation,
        known: FOLDING,
      })
    }
    if (!sound || !knowsField({ name: entry.measure }, [...segments, 'measure'], known, context)) return undefined
    return { type: 'aggregate', measure: entry.measure, aggregation: foldingName(entry.aggregation), per: entry.per }
  },
  conversion(entry, segments, known, context) {
    const sound = has(entry, ['base', 'conversion', 'entity', 'window'], segments, context)
    if (entry.entity !== undefined) checkDimension(entry.entity, [...segments, 'entity'], context, 'UNKNOWN_DIMENSION')
    for (const key of ['timeDimension', 'conversionTimeDimension'] as const) {
      if (entry[key] !== undefined) checkTimeDimension(entry[key], [...segments, key], known.dimensions, context)
    }
    const window = lengthOfTime(entry, segments, context)
    if (entry.calculation === 'rateOfPrevious')
      invalid([...segments, 'calculation'], "rateOfPrevious is for funnels; a conversion has 'rate' or 'count'", context)
    const events = (['base', 'conversion'] as const)
      .map((key) => countsRows({ name: entry[key], place: [...segments, key] }, known, context))
      .every(Boolean)
    if (!sound || !window || !events) return undefined
    return {
      type: 'conversion',
      base: entry.base,
      conversion: entry.conversion,
      entity: entry.entity,
      timeDimension: entry.timeDimension,
      conversionTimeDimension: entry.conversionTimeDimension,
      window,
      calculation: entry.calculation === 'count' ? 'count' : 'rate',
    }
  },
  funnel(entry, segments, known, context) {
    const sound = has(entry, ['steps', 'entity', 'window'], segments, context)
    const { steps = [], step = steps.length } = entry
    if (entry.entity !== undefined) checkDimension(entry.entity, [...segments, 'entity'], context, 'UNKNOWN_DIMENSION')
    const window = lengthOfTime(entry, segments, context)
    const events = steps.map(({ measure, timeDimension }, i) => {
      const at = [...segments, 'steps', i]
      checkTimeDimension(timeDimension, [...at, 'timeDimension'], known.dimensions, context)
      return countsRows({ name: measure, place: [...at, 'measure'] }, known, context)
    })
    if (step > steps.length)
      invalid([...segments, 'step'], `step ${step} is after the last one; the funnel has ${steps.length}`, context)
    checkEntity(entry, segments, known, context)
    if (steps.some(({ timeDimension }) => known.dimensions.get(timeDimension)?.type.kind === 'date'))
      context.faults.warn(
        'FUNNEL_OVER_DATES',
        segments,
        'Events of one day never follow each other, because the time of a step is a date; name a dimension with a clock time',
        { onKey: true },
      )
    if (!sound || !window || !events.every(Boolean) || step > steps.length) return undefined
    const { calculation = 'rate', distinct = false } = entry
    return { type: 'funnel', steps: entry.steps, entity: entry.entity, window, step, calculation, distinct }
  },
}

/** Entities are counted by the value that the rows of the first events reach by the joins of the model. */
function checkEntity({ entity, distinct }: MetricDocument, segments: Segments, { dimensions }: Known, context: Context): void {
  const { via, timeGrain } = dimensions.get(entity ?? '') ?? {}
  if (!distinct || (via === undefined && timeGrain === undefined)) return
  const what = via === undefined ? 'a timeGrain' : `via '${via}'`
  invalid([...segments, 'entity'], `'${entity}' has ${what}; a funnel counts distinct values of a dimension without it`, context)
}

/** The window of a conversion or a funnel. */
function lengthOfTime(
  { window: written }: MetricDocument,
  segments: Segments,
  context: Context,
): ConversionMetric['window'] | undefined {
  const window = written === undefined ? undefined : duration(written)
  if (written !== undefined && !window) {
    const message = `'${String(written).slice(0, 40)}' is not a length of time such as 7d or 1 month`
    invalid([...segments, 'window'], message, context)
  }
  return window
}

/** Aggregations that combine one value per group. */
const FOLDING = new Set([
  ...['sum', 'avg', 'min', 'max', 'count', 'count_distinct', 'any_value', 'median', 'mode'],
  ...['stddev_samp', 'stddev_pop', 'var_samp', 'var_pop'],
])

const foldingName = (written: string): string => AGGREGATE_ALIASES.get(written.toLowerCase()) ?? written.toLowerCase()

/** A measure of a conversion or a funnel, and its place. */
interface EventsOf {
  readonly name: string | undefined
  readonly place: Segments
}

/** The events of a conversion are the rows that a measure counts. */
function countsRows({ name, place }: EventsOf, known: Known, context: Context): boolean {
  if (name === undefined || !knowsField({ name }, place, known, context)) return false
  const measure = known.measures.get(name)
  const [input] = measure?.inputs ?? []
  const plain = input === undefined || input.kind === 'column'
  if (measure?.aggregation === 'count' && !measure.distinct && plain && !measure.semiAdditive) return true
  if (!measure && context.isBroken(['measures', name])) return false
  invalid(place, `'${name}' must count rows, because its rows are the events: use a row count, or a count of a column`, context)
  return false
}

function periodBase(entry: MetricDocument, segments: Segments, known: Known, context: Context): Expr<FieldRef> | undefined {
  if (entry.expression !== undefined) return metricExpression(entry.expression, segments, known, context)
  const { measure: name } = entry
  if (name === undefined || !knowsField({ name }, [...segments, 'measure'], known, context)) return undefined
  return { kind: 'field', name }
}

function invalid(segments: Segments, message: string, context: Context): void {
  context.faults.error('INVALID_METRIC', segments, message)
}

/** Whether a metric has all keys that its type needs; each missing key is reported. */
function has<K extends keyof MetricDocument>(
  entry: MetricDocument,
  keys: readonly K[],
  segments: Segments,
  context: Context,
): entry is MetricDocument & { readonly [key in K]-?: NonNullable<MetricDocument[key]> } {
  const missing = keys.filter((key) => entry[key] === undefined)
  for (const key of missing)
    context.faults.error('INVALID_METRIC', segments, `A ${entry.type ?? 'derived'} metric needs '${key}'`, { onKey: true })
  return missing.length === 0
}

/** A name of a measure or metric, and its position in a text. */
interface NamedField {
  readonly name: string
  readonly offset?: number | undefined
}

function knowsField({ name, offset }: NamedField, segments: Segments, known: Known, context: Context): boolean {
  const { measures = {}, metrics = {}, dimensions = {} } = context.document
  const isRead = known.measures.has(name) || known.metrics?.has(name)
  if (isRead || Object.hasOwn(measures, name) || Object.hasOwn(metrics, name)) return true
  const details = offset === undefined ? {} : { offset }
  const what = Object.hasOwn(dimensions, name)
    ? 'is a dimension; a metric is made of measures and metrics'
    : 'is not a measure or metric of this model'
  context.faults.unknown(
    'UNKNOWN_MEASURE_REF',
    segments,
    { message: `'${name}' ${what}`, name, known: fieldNames(known, context) },
    details,
  )
  return false
}

/** Created only if a suggestion needs it. */
function* fieldNames(known: Known, context: Context): Generator<string> {
  const { measures = {}, metrics = {} } = context.document
  yield* Object.keys(measures)
  for (const name of known.measures.keys()) if (!Object.hasOwn(measures, name)) yield name
  yield* Object.keys(metrics)
  yield* known.metrics?.keys() ?? []
}

function metricExpression(text: string, segments: Segments, known: Known, context: Context): Expr<FieldRef> | undefined {
  const path = [...segments, 'expression']
  return expression<FieldRef>(text, path, context, {
    leaf: (reference, offset) => {
      const parts = splitReference(reference)
      if (!parts || parts.object !== undefined) {
        const message = `'{${reference}}' is not a measure or metric; a metric is written over {[Measure]}, and columns belong in measures`
        context.faults.error('INVALID_METRIC', path, message, { offset })
        return undefined
      }
      return knowsField({ name: parts.name, offset }, path, known, context) ? { kind: 'field', name: parts.name } : undefined
    },
    meant: (rest) => fieldMeant(rest, known, context),
  })
}

/** `Revenue / …` means `{[Revenue]}`: the longest name at the beginning of the text. */
function fieldMeant(rest: string, known: Known, context: Context): string {
  const lower = rest.toLowerCase()
  let longest = ''
  for (const name of fieldNames(known, context))
    if (name.length > longest.length && lower.startsWith(name.toLowerCase())) longest = name
  return longest === '' ? '{[Name]} for a measure or metric' : `{[${longest}]}`
}

function checkPartition(entry: MetricDocument, segments: Segments, context: Context): void {
  for (const [i, name] of (entry.partitionBy ?? []).entries())
    checkDimension(name, [...segments, 'partitionBy', i], context, 'UNKNOWN_PARTITION_DIMENSION')
}

const isPositive = (value: unknown): boolean => isWhole(value) && value > 0

function checkWindowNumbers(entry: MetricDocument, segments: Segments, context: Context): void {
  const { windowFunction, offset, buckets } = entry
  if ((windowFunction === 'lag' || windowFunction === 'lead') && offset !== undefined && !isPositive(offset)) {
    context.faults.error(
      'INVALID_LAG_LEAD',
      [...segments, 'offset'],
      `${windowFunction} takes an offset that is a positive whole number, not ${offset}`,
    )
  }
  if (windowFunction === 'ntile' && !isPositive(buckets)) {
    const path = buckets === undefined ? segments : [...segments, 'buckets']
    context.faults.error(
      'INVALID_NTILE_BUCKETS',
      path,
      `ntile needs 'buckets', a positive whole number${buckets === undefined ? '' : `, not ${buckets}`}`,
    )
  }
}

/** The names of metrics and of all that they are made of, each after its own components. */
function* componentsFirst(
  names: Iterable<string>,
  metrics: ReadonlyMap<string, Metric>,
  context: Context,
): Generator<undefined, readonly string[]> {
  const targets = (name: string): string[] => componentsOf(entryOf(metrics, name)).filter((component) => metrics.has(component))
  const { order, cycles } = yield* sortGraph(names, targets)
  for (const cycle of cycles) {
    const circle = [...cycle.slice(0, 20), firstOf(cycle)].map((name) => `'${name}'`).join(' → ')
    context.faults.error('CYCLIC_METRIC', ['metrics', firstOf(cycle)], `These metrics are made of each other: ${circle}`, {
      onKey: true,
    })
  }
  return order
}

/** Values that depend on other rows cannot be computed again over the rows of a window; they can be folded. `order`: components first. */
function checkRunningBases(order: readonly string[], metrics: ReadonlyMap<string, Metric>, context: Context): void {
  const overRows = new Set<string>()
  for (const name of order) {
    const metric = entryOf(metrics, name)
    const part = componentsOf(metric).find((component) => overRows.has(component))
    if (part !== undefined || OVER_ROWS.has(metric.type)) overRows.add(name)
    if (metric.type === 'cumulative' && metric.cumulativeType === undefined && part !== undefined) {
      invalid(
        ['metrics', name],
        `'${part}' depends on other rows, so '${name}' must say how its values are folded: add a cumulativeType (sum, avg, min, max, count)`,
        context,
      )
    }
  }
}

const OVER_ROWS: ReadonlySet<Metric['type']> = new Set(['window', 'cumulative', 'period_over_period'])
