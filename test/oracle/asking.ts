/** For tests with hand-computed values: an extended head-to-head model, and its answers as text. */
import { evaluate } from './evaluate.js'
import { model as base, data as headToHead } from './head-to-head.js'
import type { MeasureJson, MetricJson, ModelJson, QueryJson, Tables } from './model.js'
import { show } from './values.js'

/** Rows as text, in the order of the answer; or the code of the error. */
export function ask(query: QueryJson, model: ModelJson = base, data: Tables = headToHead): string[] | string {
  const outcome = evaluate(model, data, query)
  return 'refused' in outcome ? outcome.refused : outcome.rows.map((r) => r.map(show).join(' '))
}

export const modelWith = (
  measures: Record<string, MeasureJson>,
  metrics: Record<string, MetricJson> = {},
  dimensions: ModelJson['dimensions'] = {},
): ModelJson => ({
  ...base,
  measures: { ...base.measures, ...measures },
  metrics: { ...base.metrics, ...metrics },
  dimensions: { ...base.dimensions, ...dimensions },
})

export const amountOf = (more: Partial<MeasureJson>): MeasureJson => ({ ...base.measures!['amount']!, ...more })

/** Rows by the selected dimensions in order. */
export const by = (dimensions: readonly string[], measures: readonly string[], more: Partial<QueryJson> = {}): QueryJson => ({
  select: { dimensions, measures },
  order_by: dimensions.map((_, i) => ({ field: i + 1 })),
  ...more,
})
