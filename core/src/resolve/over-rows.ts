import { componentsOf, type Metric, type SemanticModel } from '../model/semantic-model.js'

type Types = ReadonlySet<Metric['type']>
const OVER_TIME: Types = new Set(['window', 'cumulative', 'period_over_period'])
const OVER_ROWS: Types = new Set([...OVER_TIME, 'aggregate'])

/** Whether a formula over these fields has a part that is made of rows of an answer: its value at another period is asked of a query of its own. */
export const isOverRows = (names: readonly string[], model: SemanticModel): boolean => hasPart(names, model, OVER_ROWS)

/** Whether it has a part that follows from other rows than its own. */
export const isOverTime = (names: readonly string[], model: SemanticModel): boolean => hasPart(names, model, OVER_TIME)

function hasPart(names: readonly string[], { metrics }: SemanticModel, types: Types): boolean {
  const seen = new Set<string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const metric = metrics.get(name)
    if (!metric || seen.has(name)) continue
    if (types.has(metric.type)) return true
    seen.add(name)
    open.push(...componentsOf(metric))
  }
  return false
}
