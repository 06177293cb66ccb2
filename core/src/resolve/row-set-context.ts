import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { JoinGraph } from './join-graph.js'
import type { Move } from './moved-range.js'
import type { AggregateQuery, Conjunct, ResolveContext, ResolvedDimension } from './resolved-query.js'
import type { RowConditions } from './row-conditions.js'

/** The context in which the row set of a query is built. */
export interface RowSetContext {
  readonly graph: JoinGraph
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly dimensions: readonly ResolvedDimension[]
  /** The dimensions of a row of the answer. An inner query has some of them, and others. */
  readonly shown: readonly ResolvedDimension[]
  /** Selected dimensions that this subtotal level is not grouped by. */
  readonly absent: readonly ResolvedDimension[]
  /** Selected dimensions that an inner query does not have. */
  readonly outerDimensions: readonly ResolvedDimension[]
  /** The conditions of all rows. */
  readonly where: readonly Conjunct[]
  /** The same for each aggregate. */
  readonly conditions: RowConditions
  /** Where other periods are read: the conjuncts on their time, which are not in `where`, and how these times are moved. */
  readonly moved?: { readonly past: readonly Conjunct[]; readonly moves: readonly Move[] } | undefined
  /** What a query shares with its inner queries. */
  readonly inner: Omit<
    AggregateQuery,
    'where' | 'dimensions' | 'aggregates' | 'steps' | 'folds' | 'nested' | 'sorts' | 'over' | 'outputs'
  >
  /** The columns of times that end at the clock. */
  readonly untilNow?: readonly string[] | undefined
  readonly readClock: ResolveContext['readClock']
  readonly warn: ResolveContext['warn']
  /** A name for a column of the row set, from its contents and its preferred name. */
  readonly columnName: (key: string, name: string) => string
}
