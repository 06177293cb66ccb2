import type { DataType } from '../model/data-type.js'
import type { TableSource } from '../model/semantic-model.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'

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
  | Numbers
  | Sort
  | Limit

/** The rows of one data object. */
export interface Scan {
  readonly kind: 'scan'
  readonly object: string
  readonly source: TableSource
  readonly alias: string
  /** Not the rows of the source, but the elements of one of its arrays. */
  readonly elements?: Elements
}

/** The elements of an array column, each with the key of its row and what is read of it. */
export interface Elements {
  /** The elements that hold the array, where it is inside of another. */
  readonly within?: Elements
  /** The array's physical column, and its type in the database where the model says it. */
  readonly array: string
  readonly sqlType: string | undefined
  /** Physical columns of the row, and the names under which they are read here. */
  readonly key: readonly { readonly code: string; readonly as: string }[]
  /** Fields of an element; `*` is the element itself, `#` its position. */
  readonly fields: readonly { readonly code: string; readonly type: DataType }[]
}

export interface Join {
  readonly kind: 'join'
  readonly type: 'left' | 'inner' | 'cross'
  readonly left: LogicalPlan
  readonly right: LogicalPlan
  readonly on: RowExpr | undefined
  readonly label: JoinLabel
}

/** What an explanation says of a join. */
export interface JoinLabel {
  readonly from: string
  readonly to: string
  readonly columns: readonly string[]
  /** Of a join of the model: what the joined rows are called, and the objects on the way to them. */
  readonly role?: string
  readonly way?: readonly string[]
  readonly reason: string
}

export interface Filter {
  readonly kind: 'filter'
  readonly input: LogicalPlan
  readonly condition: RowExpr
  readonly reason: string
}

/** Named expressions over the input; `alias` is the relation it makes. */
export interface Project {
  readonly kind: 'project'
  readonly input: LogicalPlan
  readonly alias: string
  readonly columns: readonly NamedExpr[]
  /** Computed once, as a row set of its own; what stands above only reads it. */
  readonly stage?: boolean
}

/** A projection without repeated rows. */
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
  /** Without keys and without rows there is no row either, instead of one of empty aggregates. */
  readonly onlyWithRows?: boolean
  readonly reason: string
}

/** Blocks at the query's grain, united and regrouped: NULL keys meet on every engine, and no fact is joined to a fact. */
export interface Combine {
  readonly kind: 'combine'
  readonly alias: string
  readonly keys: readonly { readonly name: string; readonly type: DataType }[]
  readonly legs: readonly Leg[]
  readonly reason: string
}

export interface Leg {
  /** A plan whose columns are the keys and `values`. */
  readonly input: LogicalPlan
  readonly name: string
  /** Its rows are rows of the answer; otherwise they only bring values to rows that others make. */
  readonly present: boolean
  readonly values: readonly { readonly name: string; readonly type: DataType; readonly emptyIsZero: boolean }[]
}

/** Values of a coarser or earlier row set, looked up by keys of this one, NULL-safely. */
export interface Lookup {
  readonly kind: 'lookup'
  readonly alias: string
  readonly input: LogicalPlan
  readonly from: LogicalPlan
  /** `strict`: a NULL of this key finds nothing; otherwise it finds the NULL group. */
  readonly keys: readonly { readonly own: RowExpr; readonly theirs: string; readonly type: DataType; readonly strict: boolean }[]
  readonly values: Leg['values']
  readonly reason: string
}

/** Window functions over the finished row set, beside the columns that later steps read. */
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
  readonly orderBy: readonly SortKey[]
  readonly type: DataType
}

/** Rows of several plans with the same columns, one after another: the levels of subtotals. */
export interface Union {
  readonly kind: 'union'
  readonly alias: string
  readonly inputs: readonly LogicalPlan[]
  readonly columns: readonly { readonly name: string; readonly type: DataType }[]
  readonly reason: string
}

/** A row set that several steps read: computed once, under its alias. */
export interface Shared {
  readonly kind: 'shared'
  readonly alias: string
  readonly input: LogicalPlan
  readonly columns: readonly { readonly name: string; readonly type: DataType }[]
}

/**
 * The whole numbers from 0 on with a digit at each of `places`, made of nothing but SELECTs. `names` are those of the number down to each
 * place, from the highest on: a reader who wants few of them bounds each of these columns, and an engine then makes few.
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
  readonly keys: readonly SortKey[]
}

export interface Limit {
  readonly kind: 'limit'
  readonly input: LogicalPlan
  readonly limit: number | undefined
  readonly offset: number | undefined
}

export interface SortKey {
  readonly expression: RowExpr
  readonly type: DataType
  readonly descending: boolean
  readonly nullsFirst: boolean
  /** The texts of the key in the order that is meant, where it is not their own. */
  readonly sequence?: readonly string[] | undefined
}

export interface NamedExpr {
  readonly name: string
  readonly expression: RowExpr
  readonly type: DataType
}

export interface NamedAggregate {
  readonly name: string
  readonly aggregate: string
  readonly args: readonly RowExpr[]
  readonly distinct: boolean
  readonly orderBy: readonly SortKey[]
  readonly percentile: number | undefined
  readonly delimiter: string | undefined
  /** Rows that count; all when absent. */
  readonly filter: RowExpr | undefined
  readonly type: DataType
}

/** A column of an input under its own name; `alias` is the relation that brings it, none where there is only one. */
export const sameColumn = ({ name, type }: Pick<NamedExpr, 'name' | 'type'>, alias = ''): NamedExpr => ({
  name,
  type,
  expression: relationColumn(alias, name, type),
})

/** An aggregate without anything beside its arguments. */
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

export type { RowExpr }
