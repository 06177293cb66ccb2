import type { BoundAggregate, JoinLabel, NamedExpr, RowColumn, Scan } from '../bind/bound-block.js'
import type { DataType } from '../model/data-type.js'
import type { TimeGrain } from '../model/grain.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { PeriodWindow, ResolvedDimension, SortKey } from '../resolve/resolved-query.js'
import type { RowTerm } from '../resolve/row-terms.js'

/**
 * A small relational algebra: the shape of a computation, without SQL. Every node has a `reason` where one helps the reader of an
 * explanation. Columns are addressed by the alias of the relation that brings them; above an aggregate, a combine or a projection
 * there is one relation, whose alias is that node's own.
 *
 * Later metric kinds are nodes over the same row set: `lookup` is the place of coarser grains and prior periods, `window` that of
 * window functions and running totals.
 */
export type LogicalPlan =
  | Scan
  | Join
  | Filter
  | Distinct
  | Project
  | Aggregate
  | Combine
  | Lookup
  | Window
  | Union
  | Shared
  | Chosen
  | TopValues
  | Measured
  | Pairs
  | MeasuredRows
  | Numbers
  | Sort
  | Limit

export interface Join {
  readonly kind: 'join'
  readonly type: 'left' | 'inner' | 'cross'
  readonly left: LogicalPlan
  readonly right: LogicalPlan
  /** Empty only for `cross`. */
  readonly on: readonly RowTerm[]
  /** Each row finds at most one. */
  readonly findsOne?: boolean
  /** For a foreign key: a row in which none of these is NULL finds one. */
  readonly matchedBy?: readonly RelationColumn[]
  /** For a foreign key of the joined rows: a row finds each of them in which none of these is NULL. */
  readonly foundBy?: readonly RelationColumn[]
  /** A join to the last row before a time that the engine knows as one. */
  readonly byEngine?: boolean
  /** The engine finds the nearest of the rows that meet the inequality. */
  readonly nearest?: boolean
  /** The left rows are the distinct windows of rows of an answer, and a window finds the rows of its periods. */
  readonly window?: PeriodWindow
  readonly label: JoinLabel
}

export interface Filter {
  readonly kind: 'filter'
  readonly input: LogicalPlan
  readonly condition: RowExpr
  readonly reason: string
  /** It only leaves out rows that no row of the answer looks up. */
  readonly isNear?: boolean
}

/** Named expressions over the input; `alias` is the name of the result. */
export interface Project {
  readonly kind: 'project'
  readonly input: LogicalPlan
  readonly alias: string
  readonly columns: readonly NamedExpr[]
  /** Computed once, as a separate row set; the plan above only reads it. */
  readonly stage?: boolean
  /** The object of whose rows it is a part; its name is then after the object, as that of a scan. */
  readonly rowsOf?: string
}

/** A projection without duplicates. */
export interface Distinct {
  readonly kind: 'distinct'
  readonly input: LogicalPlan
  readonly alias: string
  readonly columns: readonly NamedExpr[]
  readonly reason: string
}

export interface Aggregate {
  readonly kind: 'aggregate'
  readonly input: LogicalPlan
  readonly alias: string
  readonly keys: readonly NamedExpr[]
  readonly aggregates: readonly NamedAggregate[]
  /** The keys by which it groups, for each level of an answer; all of them if there is only one. */
  readonly sets?: readonly (readonly string[])[]
  /** Without keys and without rows there is no row, instead of one of empty aggregates. */
  readonly onlyWithRows?: boolean
  readonly reason: string
}

/** Blocks at the query's grain, each aggregated alone. They are united and regrouped, so that NULL keys meet on every engine, or joined by their keys. */
export interface Combine {
  readonly kind: 'combine'
  readonly alias: string
  readonly keys: readonly RowColumn[]
  readonly legs: readonly Leg[]
  /**
   * For joined legs, the positions of those that together have every row that is kept: the only one, or several whose rows are combined by
   * full joins. The values of the other legs are looked up for these rows.
   */
  readonly making?: readonly number[]
  readonly reason: string
}

export interface Leg {
  /** A plan whose columns are the keys and `values`. */
  readonly input: LogicalPlan
  readonly name: string
  /** Its rows are rows of the answer; otherwise it only adds values to rows of others. */
  readonly contributesRows: boolean
  readonly values: readonly { readonly name: string; readonly type: DataType; readonly emptyIsZero: boolean }[]
}

/** A leg, and the object whose rows it counts. */
export interface PlannedLeg extends Leg {
  readonly base: string
}

/** Values of a coarser or earlier row set, looked up by keys of this one, NULL-safely. */
export interface Lookup {
  readonly kind: 'lookup'
  readonly alias: string
  readonly input: LogicalPlan
  readonly from: LogicalPlan
  /** `nullSafe`: a NULL of this key finds the NULL group; otherwise it finds nothing. */
  readonly keys: readonly {
    readonly own: RowExpr
    readonly theirs: string
    readonly type: DataType
    readonly nullSafe: boolean
  }[]
  readonly values: Leg['values']
  /** For another period: the key that is its time. */
  readonly period?: Pick<ResolvedDimension, 'name' | 'grain'>
  /** Rows that find nothing are left out. */
  readonly isInner?: boolean
  readonly reason: string
}

/** Window functions over the finished row set, with the columns that later steps read. */
export interface Window {
  readonly kind: 'window'
  readonly alias: string
  readonly input: LogicalPlan
  readonly columns: readonly NamedExpr[]
  readonly calls: readonly NamedWindow[]
}

export interface NamedWindow {
  readonly name: string
  readonly function: string
  readonly args: readonly RowExpr[]
  readonly partitionBy: readonly RowExpr[]
  readonly orderBy: readonly SortKey<RowExpr>[]
  /**
   * Only rows from this interval before each row on, by the only sort key, which is a time; or only the rows before each row, or up to it; otherwise all
   * rows up to the row's peers.
   */
  readonly frame?: RangeFrame | 'before' | 'up-to-row'
  /** Other rows have NULL. */
  readonly where?: RowExpr
  readonly type: DataType
}

/** From so many units before a row up to its peers. */
export interface RangeFrame {
  readonly unit: TimeGrain
  readonly back: number
}

/** Rows of several plans with the same columns, one after another: the levels of subtotals. */
export interface Union {
  readonly kind: 'union'
  readonly alias: string
  readonly inputs: readonly LogicalPlan[]
  readonly columns: readonly RowColumn[]
  readonly reason: string
}

/** A row set that several steps read: computed once, under its alias. */
export interface Shared {
  readonly kind: 'shared'
  readonly alias: string
  readonly input: LogicalPlan
  readonly columns: readonly RowColumn[]
}

/** `input`, in which `TopValues` are replaced by the values of `values`. */
export interface Chosen {
  readonly kind: 'chosen'
  readonly name: string
  readonly values: LogicalPlan
  readonly input: LogicalPlan
}

/** The values that are chosen for the whole query. */
export interface TopValues {
  readonly kind: 'top-values'
  readonly alias: string
}

/** `input`, in which the rows `of` this name are those of `values`, computed once. */
export interface Measured {
  readonly kind: 'measured'
  readonly of: string
  readonly name: string
  readonly values: LogicalPlan
  readonly input: LogicalPlan
}

/** `input`, in which the rows of an object are the pairs of a row of a tree and one above it, computed once. */
export interface Pairs {
  readonly kind: 'pairs'
  /** The closure, and the object whose rows name their parents. */
  readonly object: string
  readonly of: string
  /** The rows of the tree, each with its `key` and its `parent`. */
  readonly nodes: LogicalPlan
  readonly type: DataType
  /** A deeper pair is an error. */
  readonly maxDepth: number
  /** What the statement calls the pairs and the relations on the way to them. */
  readonly names: { readonly pairs: string; readonly tree: string; readonly levels: string; readonly parents: string }
  readonly input: LogicalPlan
}

/** The values of a measure that is a column of an object, by its key. */
export interface MeasuredRows {
  readonly kind: 'measured-rows'
  readonly of: string
  readonly alias: string
}

/**
 * The integers from 0 on with a digit at each of `places`, created by SELECTs only. `names` are those of the number down to each place,
 * from the highest on: a reader that needs few of them limits each of these columns, so that an engine generates few.
 */
export interface Numbers {
  readonly kind: 'numbers'
  readonly alias: string
  readonly names: readonly string[]
  readonly places: readonly number[]
}

export interface Sort {
  readonly kind: 'sort'
  readonly input: LogicalPlan
  readonly keys: readonly SortKey<RowExpr>[]
}

export interface Limit {
  readonly kind: 'limit'
  readonly input: LogicalPlan
  readonly limit: number | undefined
  readonly offset: number | undefined
}

export interface NamedAggregate extends Omit<BoundAggregate, 'args'> {
  readonly args: readonly RowExpr[]
}

/** A column of an input under its own name; `alias` is its relation, and absent if there is only one. */
export const sameColumn = ({ name, type }: RowColumn, alias = ''): NamedExpr => ({
  name,
  type,
  expression: relationColumn(alias, name, type),
})

/** A projection that is computed once. */
export const staged = (input: LogicalPlan, alias: string, columns: readonly NamedExpr[]): Project => ({
  kind: 'project',
  input,
  alias,
  columns,
  stage: true,
})

/** An aggregate with only its arguments. */
export const plainAggregate = (name: string, aggregate: string, args: readonly RowExpr[], type: DataType): NamedAggregate => ({
  name,
  aggregate,
  args,
  distinct: false,
  orderBy: [],
  percentile: undefined,
  delimiter: undefined,
  filter: undefined,
  type,
})

export type { JoinLabel, NamedExpr, RowExpr, Scan }

export const limited = (input: LogicalPlan, limit: number | undefined, offset: number | undefined): LogicalPlan =>
  limit === undefined && offset === undefined ? input : { kind: 'limit', input, limit, offset }
