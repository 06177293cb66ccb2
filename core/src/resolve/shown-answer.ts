import type { QueryObject } from '../query/query-object.js'
import { type AggregateRequest, resolveAggregate } from './aggregate.js'
import { dimensionOutput } from './dimension-output.js'
import type { AggregateQuery } from './resolved-query.js'

/** The detail rows that the answer shows: what `having`, `top` and an explicit limit leave, judged by the values of all rows. */
export function resolveShown(request: AggregateRequest): AggregateQuery {
  const { grouping: _, ...query }: QueryObject = request.query.shownBy ?? request.query
  const { measures } = query.select
  const detail = resolveAggregate({
    ...request,
    query,
    measures: measures.map((name, i) => ({ name, path: `select.measures[${i}]` })),
    base: { ...request.base, limit: query.limit, offset: query.offset },
  })
  return { ...detail, outputs: request.dimensions.map((d) => ({ ...dimensionOutput(d), name: d.name })) }
}
