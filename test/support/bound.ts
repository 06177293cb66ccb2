/** Models and queries, bound: for tests of what a block reads. */
import { asDeclared, type BindContext } from '../../core/src/bind/bind-context.js'
import { bindQuery } from '../../core/src/bind/bind-query.js'
import type { BoundQuery } from '../../core/src/bind/bound-query.js'
import { MeasuredQueries } from '../../core/src/bind/measured-queries.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { resolveQuery } from '../../core/src/resolve/resolve-query.js'
import type { ResolvedQuery } from '../../core/src/resolve/resolved-query.js'

const catalogues = { functions: builtInFunctions, aggregates: builtInAggregates }

export const resolved = (query: unknown, model: SemanticModel): ResolvedQuery =>
  resolveQuery(parseQuery(query), model, { ...catalogues, now: new Date(0), defaultLimit: undefined })

export const bound = (query: unknown, model: SemanticModel): BoundQuery => bindQuery(resolved(query, model), catalogues)

/** The context in which a query is bound. */
export function bindContext(query: unknown, model: SemanticModel): BindContext {
  const { graph, time } = resolved(query, model)
  const outer = { model, graph, time, ...catalogues, storedAs: asDeclared }
  return { ...outer, measured: new MeasuredQueries(outer) }
}
