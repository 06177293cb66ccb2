import { fail } from '../errors.js'
import type { Metric } from '../model/semantic-model.js'
import type { Modifier } from './modifiers.js'

/** A modifier is pushed through expressions; through windows and other periods it is not, in this version. */
export function refuseNested(metric: Metric, modifier: Modifier | undefined, path: string): void {
  if (!modifier) return
  fail(
    'UNSUPPORTED_FEATURE',
    `metric '${metric.name}' is ${KIND[metric.type]} below another metric over time, which this version does not plan yet`,
    {
      path,
    },
  )
}

/** A metric of a kind whose plan comes with a later version. */
export function refuseKind(metric: Metric, path: string): never {
  return fail('UNSUPPORTED_FEATURE', `metric '${metric.name}' is ${KIND[metric.type]}, which this version does not plan yet`, {
    path,
  })
}

const KIND = {
  derived: 'a formula',
  cumulative: 'a cumulative metric',
  period_over_period: 'a period-over-period metric',
  window: 'a window metric',
  aggregate: 'an aggregate of an aggregate',
  conversion: 'a conversion metric',
} as const
