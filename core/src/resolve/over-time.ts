import { componentsOf, type Metric, type SemanticModel } from '../model/semantic-model.js'
import { daysOf } from './days-of.js'
import { sourceOf } from './fields.js'
import type { FieldSource } from './resolved-query.js'
import { identityOf } from './time-dimension.js'

const OVER_TIME: ReadonlySet<Metric['type']> = new Set(['window', 'cumulative', 'period_over_period'])

/**
 * Whether a formula over these fields has a part that depends on other rows of the answer: its value at another period needs a separate
 * query.
 */
export function isOverTime(names: readonly string[], { metrics }: Pick<SemanticModel, 'metrics'>): boolean {
  const seen = new Set<string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const metric = metrics.get(name)
    if (!metric || seen.has(name)) continue
    if (OVER_TIME.has(metric.type)) return true
    seen.add(name)
    open.push(...componentsOf(metric))
  }
  return false
}

/** Whether a metric over time reads only rows of its times. Then it can be evaluated over a range. */
export function isRangeable(metric: Metric, model: SemanticModel): boolean {
  const { metrics, dimensions } = model
  const timeOf = (one: Metric): FieldSource | undefined => {
    const time = 'timeDimension' in one ? dimensions.get(one.timeDimension ?? '') : undefined
    return time && sourceOf(time)
  }
  const own = timeOf(metric)
  const seen = new Set([metric])
  for (const one of seen) {
    if (one.type === 'window') return false
    if ((one.type === 'aggregate' || one.type === 'cumulative') && isOverTime(componentsOf(one), model)) return false
    if ((one.type === 'period_over_period' || one.type === 'cumulative') && !isOneTime(timeOf(one), own, model)) return false
    if (one.type === 'aggregate' || one.type === 'conversion' || one.type === 'funnel') continue
    for (const name of componentsOf(one)) {
      const below = metrics.get(name)
      if (below) seen.add(below)
    }
  }
  return true
}

/** One column, or the day of a calendar and the column by which a fact joins it. */
function isOneTime(a: FieldSource | undefined, b: FieldSource | undefined, model: SemanticModel): boolean {
  if (!a || !b) return a === b
  if (identityOf(a) === identityOf(b)) return true
  return daysOf(a, model).some((one) =>
    daysOf(b, model).some((other) => {
      const [fact, day] = one.joinedBy ? [one.joinedBy, other] : [other.joinedBy, one]
      const areDays = one.says === 'day' && other.says === 'day' && one.calendar === other.calendar
      return areDays && fact !== undefined && !day.joinedBy && (day.via === undefined || day.via === fact.object)
    }),
  )
}

/** Whether a running value is among the parts of a metric. */
export function hasRunning(names: readonly string[], { metrics }: Pick<SemanticModel, 'metrics'>): boolean {
  const seen = new Set(names)
  for (const name of seen) {
    const metric = metrics.get(name)
    if (metric?.type === 'cumulative') return true
    if (metric?.type === 'derived' || metric?.type === 'period_over_period')
      for (const below of componentsOf(metric)) seen.add(below)
  }
  return false
}

/** The measures whose times are those of these fields. */
export function measuresBelow(names: readonly string[], { metrics }: SemanticModel): readonly string[] {
  const seen = new Set(names)
  for (const name of seen) {
    const metric = metrics.get(name)
    if (metric) for (const below of countedBelow(metric)) seen.add(below)
  }
  return [...seen].filter((name) => !metrics.has(name))
}

/** The parts whose times are those of the metric: the events that are followed, and not the later ones. */
export function countedBelow(metric: Metric): readonly string[] {
  const parts = componentsOf(metric)
  return metric.type === 'conversion' || metric.type === 'funnel' ? parts.slice(0, 1) : parts
}
