import { componentsOf, type Metric, type SemanticModel } from '../model/semantic-model.js'

const OVER_TIME: ReadonlySet<Metric['type']> = new Set(['window', 'cumulative', 'period_over_period'])

/**
 * Whether a formula over these fields has a part that depends on other rows of the answer: its value at another period needs a separate
 * query.
 */
export function isOverTime(names: readonly string[], { metrics }: SemanticModel): boolean {
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
