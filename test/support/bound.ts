/** Models and queries, bound: for tests of what a block reads. */
import { asDeclared, type BindContext, type StoredAs } from '../../core/src/bind/bind-context.js'
import { bindQuery } from '../../core/src/bind/bind-query.js'
import type { BoundBlock } from '../../core/src/bind/bound-block.js'
import type { BoundAggregateQuery, BoundBehind, BoundQuery } from '../../core/src/bind/bound-query.js'
import { MeasuredQueries } from '../../core/src/bind/measured-queries.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { joinGraph } from '../../core/src/resolve/join-graph.js'
import { resolveQuery, timeContext } from '../../core/src/resolve/resolve-query.js'
import type { AggregateQuery, CellView, ResolvedQuery } from '../../core/src/resolve/resolved-query.js'

const catalogues = { functions: builtInFunctions, aggregates: builtInAggregates }

export const resolved = (query: unknown, model: SemanticModel): ResolvedQuery =>
  resolveQuery(parseQuery(query), model, { ...catalogues, now: new Date(0), defaultLimit: undefined })

export const bound = (query: unknown, model: SemanticModel): BoundQuery => bindQuery(resolved(query, model), catalogues)

/** A query for measures. */
export function aggregateQuery(query: unknown, model: SemanticModel): AggregateQuery {
  const found = resolved(query, model)
  if (found.kind !== 'aggregate') throw new Error(`${found.kind} has no measures`)
  return found
}

/** A query for measures, bound. */
export const boundAggregate = (query: unknown, model: SemanticModel): BoundAggregateQuery => aggregateOf(bound(query, model))

/** The blocks of a bound query for measures that create its rows. */
export const legsOf = (query: BoundQuery): readonly BoundBlock[] => aggregateOf(query).legs.map(({ block }) => block)

function aggregateOf({ rows }: BoundQuery): BoundAggregateQuery {
  if (rows.kind !== 'aggregate') throw new Error(`${rows.kind} has no measures`)
  return rows
}

/** The rows behind a cell, bound. */
export function boundBehind(query: unknown, behind: CellView, model: SemanticModel): BoundBehind {
  const options = { ...catalogues, now: new Date(0), defaultLimit: undefined, behind }
  const { rows } = bindQuery(resolveQuery(parseQuery(query), model, options), catalogues)
  if (rows.kind !== 'behind') throw new Error(`${rows.kind} is no cell`)
  return rows
}

/** The context in which any query on a model is bound: in 1970, without pins. */
export function contextOf(model: SemanticModel, timezone?: string, storedAs: StoredAs = asDeclared): BindContext {
  const time = timeContext(timezone === undefined ? {} : { timezone }, model, new Date(0))
  const outer = { model, graph: joinGraph(model, []), time, ...catalogues, storedAs }
  return { ...outer, measured: new MeasuredQueries(outer) }
}

/** The context in which a query is bound. */
export function bindContext(query: unknown, model: SemanticModel): BindContext {
  const { graph, time } = resolved(query, model)
  const outer = { model, graph, time, ...catalogues, storedAs: asDeclared }
  return { ...outer, measured: new MeasuredQueries(outer) }
}
