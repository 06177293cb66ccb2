import type { MetricDocument } from '../document.js'
import type { Expr, FieldRef } from '../expression/ast.js'
import { sortGraph } from '../graph.js'
import type { Segments } from '../parse/locate.js'
import {
  type CumulativeMetric,
  componentsOf,
  type Dimension,
  type LaterMetric,
  type Measure,
  type Metric,
  type PeriodMetric,
  type WindowMetric,
} from '../semantic-model.js'
import { type Context, describedOf, expression, splitReference } from './context.js'
import { checkDimension, checkTimeDimension, readDataType } from './measures.js'

interface Known {
  readonly measures: ReadonlyMap<string, Measure>
  readonly dimensions: ReadonlyMap<string, Dimension>
}

export function* readMetrics(known: Known, context: Context): Generator<undefined, ReadonlyMap<string, Metric>> {
  const metrics = new Map<string, Metric>()
  for (const [name, entry] of Object.entries(context.document.metrics ?? {})) {
    const segments = ['metrics', name]
    if (context.isBroken(segments)) continue
    const metric = readMetric(name, entry, segments, known, context)
    if (metric) metrics.set(name, metric)
    yield
  }
  yield* checkCycles(metrics, context)
  return metrics
}

function readMetric(name: string, entry: MetricDocument, segments: Segments, known: Known, context: Context): Metric | undefined {
  const base = { name, dataType: readDataType(entry.dataType, segments, context), format: entry.format, ...describedOf(entry) }
  const type = entry.type ?? 'derived'
  if (type === 'derived') {
    if (!need(entry, 'expression', segments, context)) return undefined
    const parsed = metricExpression(entry.expression!, segments, known, context)
    return parsed && { ...base, type, expression: parsed }
  }
  const read = READERS[type](entry, segments, known, context)
  return read && { ...base, ...read }
}

/** What a kind of metric has beside its name and description. */
type Kind<M extends Metric> = Omit<M, 'name' | 'dataType' | 'format' | 'description' | 'owner' | 'synonyms'>
type AnyKind = Kind<WindowMetric> | Kind<PeriodMetric> | Kind<CumulativeMetric> | Kind<LaterMetric>
type ReadMetric = (entry: MetricDocument, segments: Segments, known: Known, context: Context) => AnyKind | undefined

const READERS: Readonly<Record<Exclude<Metric['type'], 'derived'>, ReadMetric>> = {
  cumulative(entry, segments, known, context) {
    const sound = [need(entry, 'measure', segments, context), need(entry, 'timeDimension', segments, context)].every(Boolean)
    checkPartition(entry, segments, context)
    if (entry.timeDimension !== undefined)
      checkTimeDimension(entry.timeDimension, [...segments, 'timeDimension'], known.dimensions, context)
    if (entry.window !== undefined && !isPositive(entry.window))
      invalid([...segments, 'window'], 'window counts calendar periods: a positive whole number', context)
    if (entry.window !== undefined && entry.grainToDate !== undefined)
      invalid(segments, "'window' and 'grainToDate' exclude each other", context)
    if (!sound || !knowsField(entry.measure!, [...segments, 'measure'], known, context)) return undefined
    return {
      type: 'cumulative',
      measure: entry.measure!,
      timeDimension: entry.timeDimension!,
      cumulativeType: entry.cumulativeType,
      window: typeof entry.window === 'number' ? entry.window : undefined,
      grainToDate: entry.grainToDate,
      partitionBy: entry.partitionBy,
    }
  },
  period_over_period(entry, segments, known, context) {
    const period = entry.periodOverPeriod
    const sound = [
      need(entry, 'periodOverPeriod', segments, context),
      entry.measure !== undefined || need(entry, 'expression', segments, context),
    ].every(Boolean)
    if (period)
      checkTimeDimension(period.timeDimension, [...segments, 'periodOverPeriod', 'timeDimension'], known.dimensions, context)
    if (period?.offset === 0)
      invalid([...segments, 'periodOverPeriod', 'offset'], 'An offset of 0 compares a period with itself', context)
    if (!sound || !period) return undefined
    const base = periodBase(entry, segments, known, context)
    if (!base) return undefined
    const { timeDimension, grain, offset = -1, offsetGrain, comparison = 'previousValue' } = period
    return { type: 'period_over_period', expression: base, timeDimension, grain, offset, offsetGrain, comparison }
  },
  window(entry, segments, known, context) {
    const sound = [need(entry, 'windowFunction', segments, context), need(entry, 'measure', segments, context)].every(Boolean)
    checkPartition(entry, segments, context)
    checkWindowNumbers(entry, segments, context)
    if (entry.timeDimension !== undefined)
      checkTimeDimension(entry.timeDimension, [...segments, 'timeDimension'], known.dimensions, context)
    if (!sound || !knowsField(entry.measure!, [...segments, 'measure'], known, context)) return undefined
    return {
      type: 'window',
      function: entry.windowFunction!,
      measure: entry.measure!,
      offset: entry.offset ?? 1,
      buckets: entry.buckets,
      descending: entry.orderDirection === undefined ? undefined : entry.orderDirection === 'desc',
      timeDimension: entry.timeDimension,
      partitionBy: entry.partitionBy ?? [],
      defaultValue: entry.defaultValue,
    }
  },
  aggregate(entry, segments, known, context) {
    const sound = (['measure', 'aggregation', 'per'] as const).map((key) => need(entry, key, segments, context)).every(Boolean)
    for (const [i, name] of (entry.per ?? []).entries())
      checkDimension(name, [...segments, 'per', i], context, 'UNKNOWN_DIMENSION')
    if (entry.aggregation !== undefined && !context.aggregates.has(entry.aggregation)) {
      const message = `'${entry.aggregation}' is not an aggregation`
      context.faults.unknown(
        'INVALID_METRIC',
        [...segments, 'aggregation'],
        message,
        entry.aggregation,
        context.aggregates.keys(),
      )
    }
    return sound ? components('aggregate', entry, ['measure'], segments, known, context) : undefined
  },
  conversion(entry, segments, known, context) {
    const sound = (['base', 'conversion', 'entity', 'window'] as const)
      .map((key) => need(entry, key, segments, context))
      .every(Boolean)
    if (entry.entity !== undefined) checkDimension(entry.entity, [...segments, 'entity'], context, 'UNKNOWN_DIMENSION')
    if (entry.timeDimension !== undefined)
      checkTimeDimension(entry.timeDimension, [...segments, 'timeDimension'], known.dimensions, context)
    if (
      typeof entry.window === 'string' &&
      !/^\s*\d{1,9}\s*(?:second|minute|hour|day|week|month|quarter|year|[smhdwMy])s?\s*$/.test(entry.window)
    ) {
      invalid([...segments, 'window'], `'${entry.window.slice(0, 40)}' is not a length of time such as 7d or 1 month`, context)
    }
    return sound ? components('conversion', entry, ['base', 'conversion'], segments, known, context) : undefined
  },
}

function periodBase(entry: MetricDocument, segments: Segments, known: Known, context: Context): Expr<FieldRef> | undefined {
  if (entry.expression !== undefined) return metricExpression(entry.expression, segments, known, context)
  return knowsField(entry.measure!, [...segments, 'measure'], known, context)
    ? { kind: 'field', name: entry.measure! }
    : undefined
}

function invalid(segments: Segments, message: string, context: Context): void {
  context.faults.error('INVALID_METRIC', segments, message)
}

function need(entry: MetricDocument, key: keyof MetricDocument, segments: Segments, context: Context): boolean {
  if (entry[key] !== undefined) return true
  context.faults.error('INVALID_METRIC', segments, `A ${entry.type ?? 'derived'} metric needs '${key}'`, { onKey: true })
  return false
}

function components(
  type: LaterMetric['type'],
  entry: MetricDocument,
  keys: readonly ('measure' | 'base' | 'conversion')[],
  segments: Segments,
  known: Known,
  context: Context,
): Kind<LaterMetric> | undefined {
  const names = keys.map((key) => entry[key]!)
  const sound = keys.map((key, i) => knowsField(names[i]!, [...segments, key], known, context)).every(Boolean)
  return sound ? { type, components: names, timeDimension: entry.timeDimension } : undefined
}

function knowsField(name: string, segments: Segments, known: Known, context: Context, offset?: number): boolean {
  const { measures = {}, metrics = {}, dimensions = {} } = context.document
  if (known.measures.has(name) || Object.hasOwn(measures, name) || Object.hasOwn(metrics, name)) return true
  const details = offset === undefined ? {} : { offset }
  const what = Object.hasOwn(dimensions, name)
    ? 'is a dimension; a metric is made of measures and metrics'
    : 'is not a measure or metric of this model'
  context.faults.unknown('UNKNOWN_MEASURE_REF', segments, `'${name}' ${what}`, name, fieldNames(known, context), details)
  return false
}

/** Made only when somebody looks for a suggestion. */
function* fieldNames(known: Known, context: Context): Generator<string> {
  const { measures = {}, metrics = {} } = context.document
  yield* Object.keys(measures)
  for (const name of known.measures.keys()) if (!Object.hasOwn(measures, name)) yield name
  yield* Object.keys(metrics)
}

function metricExpression(text: string, segments: Segments, known: Known, context: Context): Expr<FieldRef> | undefined {
  const path = [...segments, 'expression']
  return expression<FieldRef>(text, path, context, (reference, offset) => {
    const parts = splitReference(reference)
    if (!parts || parts.object !== undefined) {
      const message = `'{${reference}}' is not a measure or metric; a metric is written over {[Measure]}, and columns belong in measures`
      context.faults.error('INVALID_METRIC', path, message, { offset })
      return undefined
    }
    return knowsField(parts.name, path, known, context, offset) ? { kind: 'field', name: parts.name } : undefined
  })
}

function checkPartition(entry: MetricDocument, segments: Segments, context: Context): void {
  for (const [i, name] of (entry.partitionBy ?? []).entries())
    checkDimension(name, [...segments, 'partitionBy', i], context, 'UNKNOWN_PARTITION_DIMENSION')
}

const isPositive = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0

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

function* checkCycles(metrics: ReadonlyMap<string, Metric>, context: Context): Generator<undefined> {
  const targets = (name: string): string[] => {
    const metric = metrics.get(name)!
    return componentsOf(metric).filter((component) => metrics.has(component))
  }
  for (const cycle of (yield* sortGraph(metrics.keys(), targets)).cycles) {
    const circle = [...cycle.slice(0, 20), cycle[0]!].map((name) => `'${name}'`).join(' → ')
    context.faults.error('CYCLIC_METRIC', ['metrics', cycle[0]!], `These metrics are made of each other: ${circle}`, {
      onKey: true,
    })
  }
}
