import { fail } from '../errors.js'
import type { QueryObject, QueryTop } from '../query/query-object.js'
import { type AggregateRequest, resolveAggregate } from './aggregate.js'
import { allOf, isNotNull } from './expressions.js'
import { find, unknownName } from './lookup.js'
import { type AggregateQuery, nameOfDimension, type ResolvedDimension } from './resolved-query.js'

/** The dimensions of a query, with the dimension of `top` marked. Throws `UNKNOWN_DIMENSION`, `INVALID_QUERY`. */
export function withTop(query: QueryObject, dimensions: readonly ResolvedDimension[]): readonly ResolvedDimension[] {
  const { top } = query
  if (!top) return dimensions
  const one = dimensionNamed(top.dimension, dimensions)
  return dimensions.map((d) => (d === one ? { ...d, top: { others: top.others } } : d))
}

/**
 * The query that chooses the values: only the dimension and the measure, with the conditions of the query. It leaves out the NULL group,
 * and groups whose measure is NULL.
 */
export function resolveTop(top: QueryTop, request: AggregateRequest): AggregateQuery {
  const { query, dimensions, base } = request
  const dimension = { ...dimensions.find((d) => d.top)!, top: undefined, path: 'top.by' }
  const chosen = resolveAggregate({
    ...request,
    query: { ...query, having: [], order_by: [{ field: 2, direction: top.order }] },
    measures: [{ name: top.by, path: 'top.by' }],
    dimensions: [dimension],
    fill: undefined,
    // What `top` groups names no period, here as in the answer.
    calendarTimes: () => [],
    base: { ...base, limit: top.n, offset: undefined, rowsOf: undefined },
  })
  const [value] = chosen.outputs
  return {
    ...chosen,
    outputs: [{ ...value!, name: dimension.name }],
    having: allOf(chosen.outputs.map((o) => isNotNull(o.expression))),
  }
}

/** By the selected name, or that of its dimension. */
function dimensionNamed(name: string, dimensions: readonly ResolvedDimension[]): ResolvedDimension {
  const labels = dimensions.map((d) => d.label)
  const found = find(name, new Map(dimensions.map((d) => [d.label, d])))
  const [own, ...more] = found ? [found] : dimensions.filter((d) => nameOfDimension(d) === name)
  const path = 'top.dimension'
  if (own === undefined) return unknownName('UNKNOWN_DIMENSION', { name, what: 'not a selected dimension', known: labels }, path)
  if (more.length === 0) return own
  const suggestions = [own, ...more].map((d) => d.label)
  return fail('INVALID_QUERY', `'${name}' is selected at several grains; write which one is meant`, { path, suggestions })
}
