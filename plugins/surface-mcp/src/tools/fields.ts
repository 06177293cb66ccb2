import type { CallOptions } from '../api/api.js'
import type { Dimension, Measure, Metric, Schema } from '../api/shapes.js'
import type { Target, World } from '../world.js'

export type Kind = 'dimension' | 'measure' | 'metric'
export type AnyField =
  | ({ readonly kind: 'dimension' } & Dimension)
  | ({ readonly kind: 'measure' } & Measure)
  | ({ readonly kind: 'metric' } & Metric)

export const schemaOf = (target: Target, { api }: World, options: CallOptions): Promise<Schema> =>
  api.get<Schema>('/v1/schema', { ...target }, options)

/** Metrics and measures come first, because agents look for them first. */
export function fieldsOf({ dimensions, measures, metrics }: Schema): readonly AnyField[] {
  return [
    ...metrics.map((field) => ({ kind: 'metric' as const, ...field })),
    ...measures.map((field) => ({ kind: 'measure' as const, ...field })),
    ...dimensions.map((field) => ({ kind: 'dimension' as const, ...field })),
  ]
}

/** The type of a field. For a time dimension it includes the grain. */
export function typeOf(field: AnyField): string {
  if (field.kind === 'metric') return field.type
  if (field.kind === 'measure') return field.result_type ?? field.aggregation
  return field.time_grain === null ? field.result_type : `${field.result_type}/${field.time_grain}`
}

/** The data object of a field, or the definition of a metric. */
export function sourceOf(field: AnyField): string {
  if (field.kind === 'dimension') return field.data_object
  if (field.kind === 'measure') return [...new Set(field.columns.map(({ data_object }) => data_object))].join(', ')
  return field.component_measures.join(', ')
}
