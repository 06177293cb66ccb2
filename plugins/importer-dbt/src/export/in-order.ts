/** What metrics read, and their order. */
import type { SemanticModel } from '@grainline/core'

export type Metric = NonNullable<ReturnType<SemanticModel['metrics']['get']>>

/** Metrics after those that they read, whatever their order is. */
export function* inOrder(metrics: SemanticModel['metrics']): Generator<Metric> {
  const open = new Set(metrics.values())
  for (const metric of metrics.values()) {
    // The last one is next; it waits for those that it reads.
    const ahead = [metric]
    for (let next = ahead.at(-1); next; next = ahead.at(-1)) {
      const reads = namesReadBy(next).flatMap((name) => metrics.get(name) ?? [])
      const first = open.has(next) ? reads.find((other) => open.has(other) && !ahead.includes(other)) : undefined
      if (first) ahead.push(first)
      else {
        ahead.pop()
        if (open.delete(next)) yield next
      }
    }
  }
}

/** The measures and metrics that a metric names as its value. */
export function namesReadBy(metric: Metric): readonly string[] {
  const expression = 'expression' in metric ? namesIn(metric.expression) : []
  return 'measure' in metric ? [metric.measure, ...expression] : expression
}

function namesIn(expression: unknown): readonly string[] {
  if (typeof expression !== 'object' || expression === null) return []
  if ('kind' in expression && expression.kind === 'field' && 'name' in expression) return [String(expression.name)]
  return Object.values(expression).flatMap(namesIn)
}
