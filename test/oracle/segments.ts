/** Segments: conditions of the model that a query names. */
import type { FilterJson, ModelJson, WrittenJson } from './model.js'
import { refuse } from './refusal.js'

/** The conditions of an entry of `where`: a segment is all of its filters. */
export function expanded(model: ModelJson, written: WrittenJson): readonly FilterJson[] {
  if (typeof written === 'string') return segmentOf(model, written)
  if ('segment' in written) return segmentOf(model, written.segment)
  if ('logic' in written) return [{ ...written, filters: written.filters.map((f) => together(expanded(model, f))) }]
  if (!written.subquery) return [written as FilterJson]
  const filter = (written.subquery.filter ?? []).flatMap((f) => expanded(model, f))
  if (filter.some(asksAgain)) refuse('INVALID_FILTER_OPERATOR', 'exists within exists')
  return [{ ...written, subquery: { ...written.subquery, filter } }]
}

const segmentOf = (model: ModelJson, name: string): readonly FilterJson[] =>
  model.segments?.[name]?.filters ?? refuse('UNKNOWN_FILTER_FIELD', `no segment ${name}`)

const asksAgain = (filter: FilterJson): boolean =>
  'logic' in filter ? filter.filters.some(asksAgain) : filter.subquery !== undefined

const together = (filters: readonly FilterJson[]): FilterJson => (filters.length === 1 ? filters[0]! : { logic: 'and', filters })
