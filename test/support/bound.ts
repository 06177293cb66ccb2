/** Models and queries, bound: for tests of what a block reads. */
import { asDeclared, type BindContext, type StoredAs } from '../../core/src/bind/bind-context.js'
import { bindQuery } from '../../core/src/bind/bind-query.js'
import type { BoundBlock } from '../../core/src/bind/bound-block.js'
import type { BoundAggregateQuery, BoundBehind, BoundQuery } from '../../core/src/bind/bound-query.js'
import { MeasuredQueries } from '../../core/src/bind/measured-queries.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import type { Metric, SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { resolveDimension } from '../../core/src/resolve/fields.js'
import { joinGraph } from '../../core/src/resolve/join-graph.js'
import type { Along } from '../../core/src/resolve/periods.js'
import { resolveQuery, timeContext } from '../../core/src/resolve/resolve-query.js'
import type {
  AggregateQuery,
  CellView,
  ResolveContext,
  ResolvedDimension,
  ResolvedQuery,
} from '../../core/src/resolve/resolved-query.js'
import { conditionsOf } from '../../core/src/resolve/row-conditions.js'
import type { RowSetContext } from '../../core/src/resolve/row-set-context.js'

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
  return { ...outer, measuredQueries: new MeasuredQueries(outer) }
}

/** The context in which a query is bound. */
export function bindContext(query: unknown, model: SemanticModel): BindContext {
  const { graph, time } = resolved(query, model)
  const outer = { model, graph, time, ...catalogues, storedAs: asDeclared }
  return { ...outer, measuredQueries: new MeasuredQueries(outer) }
}

/** The context in which the names of any query on a model are found; the codes of warnings are added to `warned`. */
export function resolveContext(model: SemanticModel, timezone?: string, warned: string[] = []): ResolveContext {
  const { graph, time, functions, aggregates } = contextOf(model, timezone)
  return { model, graph, time, functions, aggregates, warn: (code) => void warned.push(code), readClock: () => undefined }
}

/** The context in which the row set of a query for measures is built. */
export function rowSetContext(query: unknown, model: SemanticModel): RowSetContext {
  const { order: _, ...inner } = aggregateQuery(query, model)
  const { graph, dimensions, where } = inner
  return {
    ...{ graph, ...catalogues, dimensions, shown: dimensions, absent: [], outerDimensions: [] },
    ...{ where, conditions: conditionsOf(where) },
    inner: { ...inner, order: [] },
    ...{ readClock: () => undefined, warn: () => undefined, columnName: (_key: string, name: string) => name },
  }
}

/** The place in a query where a metric over time is selected. */
export function alongOf(query: unknown, model: SemanticModel): Along {
  const { graph, dimensions, where, inner } = rowSetContext(query, model)
  return { ...{ model, graph, dimensions, selected: dimensions, where, path: '', clocks: inner.time }, moved: undefined }
}

/** A metric of a type. */
export function metricOf<T extends Metric['type']>(
  type: T,
  name: string,
  { metrics }: SemanticModel,
): Extract<Metric, { type: T }> {
  const found = metrics.get(name)
  const isOfType = (metric: Metric | undefined): metric is Extract<Metric, { type: T }> => metric?.type === type
  if (!isOfType(found)) throw new Error(`${name} is ${found?.type}`)
  return found
}

/** A dimension of a model, as a query selects it. */
export const dimensionOf = (text: string, model: SemanticModel): ResolvedDimension =>
  resolveDimension({ kind: 'name', text }, model, '')
