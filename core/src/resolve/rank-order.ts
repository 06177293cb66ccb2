import type { QueryObject } from '../query/query-object.js'
import { othersName } from './dimension-output.js'
import type { ResolvedDimension } from './resolved-query.js'

/** A list of the top values without an order is sorted by their rank. The group of the others comes last. */
export function inRankOrder(query: QueryObject, dimensions: readonly ResolvedDimension[]): QueryObject {
  const { top, order_by, grouping, select } = query
  const [dimension, ...more] = dimensions
  if (!top || !dimension || more.length > 0 || order_by.length > 0 || grouping || select.measures.length === 0) return query
  const others = top.others === undefined ? [] : [{ field: othersName(dimension), direction: 'asc' as const }]
  const ties = { field: 1, direction: 'asc' as const }
  return { ...query, order_by: [...others, { field: top.by, direction: top.order }, ties] }
}
