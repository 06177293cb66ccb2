/** Derived metrics over measures, row counts and each other. */
import type { MeasureJson, MetricJson, ModelJson } from '../model.js'
import { type Kind, kindOf } from '../world.js'
import type { Random } from './random.js'

export function generateMetrics(
  random: Random,
  objects: ModelJson['dataObjects'],
  measures: Readonly<Record<string, MeasureJson>>,
): Record<string, MetricJson> {
  const metrics: Record<string, MetricJson> = {}
  const operands = Object.entries(measures).flatMap(([name, m]) => (isNumericMeasure(objects, m) ? [name] : []))
  operands.push(...Object.keys(objects).map((o) => `${o} Count`))
  // Whether a slope is exactly 0 depends on the engine, so it is never a divisor.
  const solid = (name: string): string =>
    /^(corr|covar|regr|stddev|var)/.test(measures[name]?.aggregation ?? '') ? `${Object.keys(objects)[0]} Count` : name
  for (let i = random.between(0, 3); i > 0; i--) {
    const [a, b] = [random.pick(operands), solid(random.pick(operands))].map((n) => `{[${n}]}`) as [string, string]
    const expression = random.pick([
      `${a} / ${b}`,
      `${a} - ${b}`,
      `coalesce(${a}, 0) + ${b}`,
      `${a} * 100 / ${b}`,
      `CASE WHEN ${a} > ${b} THEN ${a} ELSE ${b} END`,
    ])
    const name = `metric ${i}`
    metrics[name] = {
      ...(random.chance(0.5) && { type: 'derived' }),
      expression,
      ...(random.chance(0.15) && { dataType: 'decimal(30, 3)' }),
    }
    operands.push(name)
  }
  return metrics
}

export function isNumericMeasure(objects: ModelJson['dataObjects'], measure: MeasureJson): boolean {
  const kind = measureKind(objects, measure)
  return kind === 'int' || kind === 'decimal' || kind === 'float'
}

/** Whether the values of a measure, a metric or a row count are numbers. */
export function isNumber(model: ModelJson, name: string): boolean {
  const metric = model.metrics?.[name]
  if (metric?.type === 'conversion' || metric?.type === 'funnel') return true
  if (metric) return metric.expression !== undefined || isNumbering(metric) || isNumber(model, metric.measure!)
  const measure = model.measures?.[name]
  return !measure || isNumericMeasure(model.dataObjects, measure)
}

/** Roughly: the kind of the values of the answer. */
export function measureKind(objects: ModelJson['dataObjects'], { aggregation, columns }: MeasureJson): Kind {
  if (aggregation.startsWith('count') || aggregation === 'approx_count_distinct') return 'int'
  if (isTruth({ aggregation })) return 'boolean'
  if (aggregation === 'listagg') return 'string'
  const [first] = columns ?? []
  if (!['min', 'max', 'any_value', 'mode', 'sum', 'first', 'last'].includes(aggregation) || !first) return 'float'
  return kindOf(objects[first.dataObject]!.columns[first.column]!)
}

/** True for boolean measures. */
export const isTruth = ({ aggregation }: Pick<MeasureJson, 'aggregation'>): boolean => aggregation.startsWith('bool_')

/** True if engines may differ in the last digits, so it may not be used for ordering or comparison. */
export function isFuzzy(model: ModelJson, name: string): boolean {
  const metric = model.metrics?.[name]
  if (metric) return isFuzzyMetric(model, metric)
  const measure = model.measures?.[name]
  if (!measure) return false
  if (measure.semiAdditive?.take === 'avg' || FUZZY.includes(measure.aggregation)) return true
  if (measure.expression !== undefined)
    return measure.expression.includes('/') || measure.aggregation === 'avg' || readsHalf(measure.expression)
  if (SPREADS.test(measure.aggregation)) return true
  const [first] = measure.columns ?? []
  const column = first && model.dataObjects[first.dataObject]!.columns[first.column]!
  if (column?.expression?.includes('/') && measure.aggregation !== 'count') return true
  return ['avg', 'median'].includes(measure.aggregation) && column !== undefined && kindOf(column) === 'decimal'
}
const FUZZY: readonly string[] = ['percentile', 'approx_count_distinct']
const readsHalf = (expression: string): boolean => expression.includes('[half]')

/** Whether a value is, or reads, a measure of variation: for constant values the definitions give 0, and an engine may give almost 0. */
export function isSpread(model: ModelJson, name: string): boolean {
  const { expression, measure } = model.metrics?.[name] ?? {}
  const read = measure === undefined ? [...(expression ?? '').matchAll(/\[([^\]]+)\]/g)].map((m) => m[1]!) : [measure]
  return SPREADS.test(model.measures?.[name]?.aggregation ?? '') || read.some((other) => isSpread(model, other))
}
const SPREADS = /^(stddev|var|corr|covar|regr)/

/** Running sums add doubles in an order that depends on the engine. */
function isFuzzyMetric(model: ModelJson, metric: MetricJson): boolean {
  if (isNumbering(metric)) return false
  if (metric.type === 'conversion' || metric.type === 'funnel') return false
  const names =
    metric.measure === undefined ? [...metric.expression!.matchAll(/\[([^\]]+)\]/g)].map((m) => m[1]!) : [metric.measure]
  const fold = metric.cumulativeType ?? metric.aggregation ?? ''
  if (/^(avg|median|stddev|var)/.test(fold)) return true
  if (fold === 'sum' && names.some((n) => !ADDED.includes(model.measures?.[n]?.aggregation ?? ''))) return true
  return names.some((n) => isFuzzy(model, n))
}
const ADDED: readonly string[] = ['sum', 'count', 'count_distinct', 'min', 'max']

/** True for metrics whose values are integers, whatever they run over. */
export const isNumbering = ({ windowFunction, cumulativeType, aggregation }: MetricJson): boolean =>
  ['rank', 'dense_rank', 'row_number', 'ntile'].includes(windowFunction ?? '') ||
  cumulativeType === 'count' ||
  aggregation?.startsWith('count') === true
