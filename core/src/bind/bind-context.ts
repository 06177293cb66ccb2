import type { ColumnRef } from '../model/expression/ast.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { Closure, Column, SemanticModel } from '../model/semantic-model.js'
import type { StoredColumn } from '../model/stored-column.js'
import type { TimeContext } from '../resolve/clock.js'
import type { JoinGraph } from '../resolve/join-graph.js'
import type { RowExpr } from '../resolve/relation-column.js'
import type { RowColumn } from './bound-block.js'
import type { RequestRuleOptions } from './request-rule.js'
import type { RollupTables } from './rollups/table-sources.js'

/** The immutable input of binding. */
export interface BindContext {
  readonly model: SemanticModel
  readonly graph: JoinGraph
  readonly time: TimeContext
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly storedAs: StoredAs
  /** Without it, every rule is applied. */
  readonly rules?: RequestRuleOptions | undefined
  /** Without it, no rollup table is read. */
  readonly rollups?: RollupTables | undefined
  /** The columns of objects that are measures or window functions, or say whether rows exist. */
  readonly measuredQueries: MeasuredColumns
}

/** A column over other rows: what a row of the object reads of it. */
export type ColumnOfOtherRows = MeasuredColumn | FoundColumn | WindowedColumn

interface JoinedByColumns {
  /** Its relation, which a query computes once. */
  readonly of: string
  /** The columns of the object by which its values are found. */
  readonly by: readonly string[]
  /** What equals them in the relation, one by one. */
  readonly keys: readonly RowColumn[]
}

/** True where its relation has a row. */
export interface FoundColumn extends JoinedByColumns {
  readonly kind: 'found'
  /** The columns next to the object to which `by` is compared, one by one. */
  readonly beside: readonly ColumnRef[]
}

/** NULL where its relation has no row: the window does not see that row. */
export interface WindowedColumn extends JoinedByColumns {
  readonly kind: 'windowed'
  readonly value: RowColumn
}

export interface MeasuredColumn extends JoinedByColumns {
  readonly kind: 'measured'
  readonly value: RowColumn
  /** The value of a row to which nothing belongs; `undefined` for NULL. */
  readonly empty: RowExpr | undefined
  /** Whether it is a count, which is NULL only where there is no row. */
  readonly isCount: boolean
}

/** Binds each column over other rows that a query reads, once. */
export interface MeasuredColumns {
  /** Throws the errors of a query for the measure, `CYCLIC_FILTER`, `INVALID_COLUMN`. */
  readonly column: (object: string, column: Column) => ColumnOfOtherRows
  /** The pairs of a closure, which a query computes once. Throws `CYCLIC_FILTER`. */
  readonly closure: (object: string, closure: Closure) => void
  /** Reads what no row needs, to refuse what cannot be read. */
  readonly check: (read: () => void) => void
}

/** How a column of a data object is stored, if it needs a conversion; `undefined` if it is stored as declared. */
export type StoredAs = (object: string, column: Column) => StoredColumn | undefined

export const asDeclared: StoredAs = () => undefined
