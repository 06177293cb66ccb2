import { entryOf } from '../../invariant.js'
import type { Measure, Metric } from '../semantic-model.js'

/**
 * A metric over time, and a window that returns a value, are displayed like their base unless they say otherwise: with its `dataType` and its
 * `format`. A change in percent is displayed as a percentage. `order` has components first.
 */
export function displayedAsBase(
  order: readonly string[],
  metrics: ReadonlyMap<string, Metric>,
  measures: ReadonlyMap<string, Measure>,
): ReadonlyMap<string, Metric> {
  const made = new Map(metrics)
  for (const name of order) {
    const metric = entryOf(made, name)
    const base = baseOf(metric)
    const shown = base === undefined ? undefined : (measures.get(base) ?? made.get(base))
    if (isPercentage(metric)) made.set(name, { ...metric, format: metric.format ?? PERCENT })
    if (shown) made.set(name, { ...metric, dataType: metric.dataType ?? shown.dataType, format: metric.format ?? shown.format })
  }
  return made
}

/** A change in percent is stored as a fraction. */
const isPercentage = (metric: Metric): boolean => metric.type === 'period_over_period' && metric.comparison === 'percentChange'
const PERCENT = '0.0%'

const VALUES: ReadonlySet<string> = new Set(['lag', 'lead', 'first_value', 'last_value'])

/** The field whose values the metric displays, or values like these: not a count, a rank or a fraction. */
function baseOf(metric: Metric): string | undefined {
  switch (metric.type) {
    case 'cumulative':
      return metric.cumulativeType === 'count' ? undefined : metric.measure
    case 'window':
      return VALUES.has(metric.function) ? metric.measure : undefined
    case 'period_over_period': {
      const { comparison, expression } = metric
      const isValue = comparison === 'previousValue' || comparison === 'difference'
      return isValue && expression.kind === 'field' ? expression.name : undefined
    }
    default:
      return undefined
  }
}
