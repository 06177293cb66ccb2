import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { JoinGraph } from './join-graph.js'
import type { AggregateQuery, Conjunct, ResolvedDimension } from './resolved-query.js'

/** What the row set of a query is made with. */
export interface RowSetContext {
  readonly graph: JoinGraph
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly dimensions: readonly ResolvedDimension[]
  /** Selected dimensions that this subtotal level is not grouped by. */
  readonly absent: readonly ResolvedDimension[]
  /** Selected dimensions that a query within the query is not asked by. */
  readonly outerDimensions: readonly ResolvedDimension[]
  readonly where: readonly Conjunct[]
  /** What a query within this one has in common with it. */
  readonly inner: Omit<AggregateQuery, 'where' | 'dimensions' | 'aggregates' | 'steps' | 'folds' | 'nested' | 'over' | 'outputs'>
  /** A name for a column of the row set, from what it holds and how it would like to be called. */
  readonly columnName: (key: string, name: string) => string
}
