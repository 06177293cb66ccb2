/** The dimensions that a metric names. */
import type { Metric } from './semantic-model.js'

/** Those that it reads whether or not a question selects them. */
export function dimensionsRead(metric: Metric): readonly string[] {
  switch (metric.type) {
    case 'aggregate':
      return metric.per
    case 'conversion':
      return [metric.entity, metric.timeDimension ?? [], metric.conversionTimeDimension ?? []].flat()
    case 'funnel':
      return [metric.entity, ...metric.steps.map(({ timeDimension }) => timeDimension)]
    case 'derived':
    case 'period_over_period':
    case 'cumulative':
    case 'window':
      return []
  }
}

/** All of them: also the times and partitions that a question selects. */
export function dimensionsNamed(metric: Metric): readonly string[] {
  switch (metric.type) {
    case 'period_over_period':
      return [metric.timeDimension]
    case 'cumulative':
      return [metric.timeDimension, ...(metric.partitionBy ?? [])]
    case 'window':
      return [metric.timeDimension ?? [], metric.partitionBy].flat()
    default:
      return dimensionsRead(metric)
  }
}
