/** A bare projection whose rows are counted: one row for each row of the main fact, and not one for each tuple. */
import type { NamedModel, QueryJson } from '@grainline/core/language'
import { bodyOf, type SelectStmt } from '../grammar/node.js'
import { factOf } from '../main-fact.js'
import { placeIn } from '../model-relation.js'
import { unsupported } from '../refusal.js'
import type { ModelSelect } from '../select/model-select.js'
import { isPlain } from './bare-projection.js'
import { isWindowed } from './counts-rows.js'

/** The SELECT as rows; the same SELECT if it is grouped, or returns measures. Throws if the order of its rows determines which rows it has. */
export function asRows<M extends NamedModel>(select: ModelSelect<M>, stmt: SelectStmt): ModelSelect<M> {
  const { select: asked, where, having, order_by, limit, offset } = select.query
  if (!isPlain(stmt) || isWindowed(stmt) || select.values.length > 0 || having || asked.measures || !asked.dimensions)
    return select
  const at = placeIn(select.relation, bodyOf(stmt.targetList?.[0], 'ResTarget')?.val)
  if (offset !== undefined || (limit !== undefined && order_by) || select.rest?.conditions.length)
    unsupported('LIMIT', 'A page of the rows of a model has no order', {
      at,
      rewrite: 'GROUP BY with the dimensions, or SELECT DISTINCT',
    })
  const query: QueryJson = { select: asked, ...(where && { where }), ...(limit !== undefined && { limit }) }
  return { ...select, query, notices: [], everyRowOf: factOf(select.relation.named, at) }
}
