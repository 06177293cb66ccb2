import type { DataType } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import type { TableSource } from '../model/semantic-model.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import type { Conversion, ResolvedDimension, SemiAdditive, SortKey } from '../resolve/resolved-query.js'
import type { RowTerm } from '../resolve/row-terms.js'

/**
 * One aggregation: the rows of its base with their joins, the conditions that reach them, the grouping keys and the
 * aggregates. It depends on no other block. Names of relations are unique within the block; a statement may rename them.
 */
export interface BoundBlock {
  readonly base: string
  readonly from: BoundFrom
  readonly where: readonly Condition[]
  /** The final grouping keys; a semi-additive block has times and entities in between. */
  readonly dimensions: readonly ResolvedDimension[]
  readonly groupBy: readonly NamedExpr[]
  readonly aggregates: readonly BoundAggregate[]
  /** The values that it provides for the rows of the answer, by the names of its aggregates. */
  readonly values: readonly BlockValue[]
  /** The key by which a base row counts once in each group; `undefined` if every row of the joins counts. */
  readonly onceBy: readonly NamedExpr[] | undefined
  /** The part of its base row that a row of the joins has. */
  readonly weight: ConnectionWeight | undefined
  readonly semiAdditive: SemiAdditive | undefined
  /** More columns of the rows, to show them. */
  readonly beside: readonly NamedExpr[]
  readonly reason: string
}

/** The base with its forward joins and its bridges, or the sums of several facts with the base row at which they are joined. */
export interface BoundFrom {
  readonly base: BoundRows
  readonly bridges: readonly BoundBridge[]
  readonly facts: BoundFacts | undefined
  /** The values of a dimension that are separate groups, if these rows are grouped by it. */
  readonly top: BoundTopValues | undefined
  /** Joins that leave only the rows behind shown detail rows. */
  readonly shown?: readonly BoundShown[]
}

/** The distinct values of some of the dimensions of the shown detail rows. */
export interface BoundShown<L = RelationColumn> {
  readonly alias: string
  readonly columns: readonly RowColumn[]
  readonly on: readonly RowTerm<L>[]
  readonly label: JoinLabel
}

/** For each row its value among the top values, or NULL; `inner` drops rows without such a value. */
export interface BoundTopValues<L = RelationColumn> {
  readonly type: 'left' | 'inner'
  readonly alias: string
  readonly on: readonly RowTerm<L>[]
  readonly label: JoinLabel
}

/** The rows of one object, or of a many-to-many pair, with the objects of forward joins. */
export interface BoundRows {
  readonly start: Scan
  readonly joins: readonly BoundJoin[]
}

/** The pairs of a row and one above it. */
export interface BoundClosure {
  readonly kind: 'closure'
  /** The closure itself, and the object whose rows name their parents. */
  readonly object: string
  readonly of: string
  readonly rows: BoundRows
  readonly where: readonly RowExpr[]
  readonly key: TypedExpr
  readonly parent: TypedExpr
  /** A deeper pair is an error. */
  readonly maxDepth: number
}

/** The rows of an object that a principal may see. */
export interface BoundRestriction {
  readonly rows: BoundRows
  readonly where: readonly RowExpr[]
  /** What is read of them. */
  readonly columns: readonly NamedExpr[]
}

export interface BoundJoin {
  readonly type: 'left' | 'inner'
  readonly right: Scan | Candidates | FoundRows | ConvertedEvents | PassedEvents | DayRange | CountedDays | MeasuredRows
  readonly on: readonly RowTerm[]
  /** For a foreign key: a row in which none of these is NULL has a match. */
  readonly matchedBy?: readonly RelationColumn[]
  readonly label: JoinLabel
  /** A row can find several. */
  readonly findsSeveral?: true
}

/** The rows of one data object. */
export interface Scan {
  readonly kind: 'scan'
  readonly object: string
  readonly source: TableSource
  readonly alias: string
  /** The columns of the key of the object, which are never NULL. */
  readonly key?: readonly string[]
  /** Not the rows of a source, but consecutive days in the column `day`. */
  readonly days?: DayNumbers
  /** Not the rows of the source, but the elements of one of its arrays. */
  readonly elements?: Elements
}

/** A number of days from a first one on; without it numbers from 0 on, in the column `number`. */
export interface DayNumbers {
  readonly first: string | undefined
  readonly count: number
}

/** The elements of an array column, each with the key of its row and the fields that are read. */
export interface Elements {
  /** The elements that contain the array, if it is nested in another array. */
  readonly within?: Elements
  /** The physical column of the array, and its database type if the model declares it. */
  readonly array: string
  readonly sqlType: string | undefined
  /** Physical columns of the row, and their names here. */
  readonly key: readonly { readonly code: string; readonly as: string }[]
  /** Fields of an element; `*` is the element itself, `#` its position. */
  readonly fields: readonly { readonly code: string; readonly type: DataType }[]
}

/** The values of a measure that is a column of an object, one for each key. `of` is their relation in the whole query. */
export interface MeasuredRows {
  readonly kind: 'measured'
  readonly of: string
  readonly alias: string
}

/** The rows of an object that a join may find: those that meet conditions on what they reach. They are read by their own alias. */
export interface Candidates {
  readonly kind: 'candidates'
  readonly rows: BoundRows
  readonly where: readonly RowExpr[]
  readonly alias: string
}

/** The distinct links by which rows of another object connect, with a column `hit`. */
export interface FoundRows {
  readonly kind: 'found'
  readonly rows: BoundRows
  readonly where: readonly RowExpr[]
  readonly links: readonly NamedExpr[]
  readonly alias: string
}

/** The rows of an object that a window function sees, by its key, with the value of the function. */
export interface WindowedRows {
  readonly kind: 'windowed'
  readonly rows: BoundRows
  readonly where: readonly Condition[]
  readonly keys: readonly NamedExpr[]
  readonly call: BoundWindow
  readonly alias: string
}

/** A window function over rows. `running`: over those up to each row. */
export interface BoundWindow extends RowColumn {
  readonly function: string
  readonly args: readonly RowExpr[]
  readonly partitionBy: readonly RowExpr[]
  readonly orderBy: readonly SortKey<RowExpr>[]
  readonly running: boolean
}

/** Days with their `period`, the `place` of each among those of its period, and their number `n`. */
export interface CountedDays {
  readonly kind: 'counted-days'
  readonly rows: BoundRows
  readonly where: readonly RowExpr[]
  readonly day: RowExpr
  readonly period: RowExpr
  readonly alias: string
}

/** The first and the last day of rows, in one row of columns `first` and `last`. */
export interface DayRange {
  readonly kind: 'day-range'
  readonly rows: BoundRows
  readonly where: readonly RowExpr[]
  readonly day: RowExpr
  readonly alias: string
}

/** The distinct base events that a conversion event follows in time, with a column `hit`. */
export interface ConvertedEvents {
  readonly kind: 'converted'
  readonly conversion: Pick<Conversion, 'unit' | 'count'>
  readonly base: BoundEvents
  readonly next: BoundEvents
  readonly alias: string
  readonly hit: string
}

/** The distinct first events of a funnel from which every further step is taken in time, with a column `hit`. */
export interface PassedEvents {
  readonly kind: 'passed'
  readonly window: Pick<Conversion, 'unit' | 'count'>
  readonly steps: readonly BoundEvents[]
  readonly alias: string
  readonly hit: string
}

/** Events by entity and time. */
export interface BoundEvents {
  readonly block: BoundBlock
  readonly alias: string
}

/** Rows that connect with the base rows, or with those of a previous bridge: none, one or many. */
export interface BoundBridge {
  readonly rows: BoundRows
  readonly where: readonly RowExpr[]
  readonly on: readonly RowTerm[]
  /** For a foreign key: a row of the bridge in which none of these is NULL has a match. */
  readonly matchedBy?: readonly RelationColumn[]
  readonly label: JoinLabel
  /** Set if the bridge is a separate relation, of which only these columns are read. */
  readonly relation: BridgeRelation | undefined
}

export interface BridgeRelation {
  readonly alias: string
  readonly columns: readonly NamedExpr[]
  /** Whether equal rows remain several, become one, or become one with the sum of their weights. */
  readonly alike: 'several' | 'one' | { readonly weight: NamedExpr; readonly reason: string }
}

/** Facts that are joined by the key of the base, each aggregated by it first. */
export interface BoundFacts {
  readonly alias: string
  readonly keys: readonly RowColumn[]
  readonly legs: readonly BoundFact[]
  readonly on: readonly RowTerm[]
  /** The object at which they are joined. */
  readonly object: string
  readonly reason: string
}

export interface BoundFact {
  readonly block: BoundBlock
  readonly alias: string
}

/** How a block over several facts is joined to windows before the facts are joined, if the facts provide the time. */
export interface FactsInWindows {
  /** Each fact, with the values of dimensions that only the base has. */
  readonly facts: readonly (BoundFact & { readonly beside: BesideBase | undefined })[]
  /** The rows of the base itself, if they exist at every time. */
  readonly own: BoundFact | undefined
  /** The keys by which the facts are joined within a window. */
  readonly groupBy: readonly RowColumn[]
}

export interface BesideBase {
  readonly from: BoundFrom
  readonly columns: readonly NamedExpr[]
  readonly alias: string
}

export interface BoundAggregate {
  readonly name: string
  readonly type: DataType
  readonly aggregate: string
  readonly distinct: boolean
  readonly args: readonly TypedExpr[]
  readonly orderBy: readonly SortKey<RowExpr>[]
  readonly percentile: number | undefined
  readonly delimiter: string | undefined
  /** The rows that count; all rows if absent. */
  readonly filter: RowExpr | undefined
  /** NULL if no row meets this, even for a count. */
  readonly onlyWith?: RowExpr | undefined
}

export interface BlockValue extends RowColumn {
  /** A count: 0 if there are rows but none counts. */
  readonly emptyIsZero: boolean
}

/** The part of a base row that a connection has, and the columns that distinguish connections with different weights. */
export interface ConnectionWeight extends TypedExpr {
  /** Empty if every connection is a separate row. */
  readonly distinguishedBy: readonly NamedExpr[]
}

/** A condition with its reason. */
export interface Condition<L = RelationColumn> {
  readonly expression: Expr<L>
  readonly reason: string
  /** It only leaves out rows that no row of the answer looks up. */
  readonly isNear?: boolean
}

/** The description of a join in explanations. */
export interface JoinLabel {
  readonly from: string
  readonly to: string
  readonly columns: readonly string[]
  /** For a join of the model: the name of the joined rows, and the objects on the path to them. */
  readonly role?: string
  readonly way?: readonly string[]
  readonly reason: string
}

export interface RowColumn {
  readonly name: string
  readonly type: DataType
}

export interface TypedExpr<L = RelationColumn> {
  readonly expression: Expr<L>
  readonly type: DataType
}

export interface NamedExpr<L = RelationColumn> extends RowColumn, TypedExpr<L> {}
