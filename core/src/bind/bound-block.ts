import type { DataType } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import type { TableSource } from '../model/semantic-model.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import type { Conversion, ResolvedDimension, SemiAdditive, SortKey } from '../resolve/resolved-query.js'

/**
 * One aggregation: the rows of its base with their joins, the conditions that reach them, what they are grouped by and what is
 * aggregated. It depends on nothing beside it. Its relations are named apart within the block; a statement may name them otherwise.
 */
export interface BoundBlock {
  readonly base: string
  readonly from: BoundFrom
  readonly where: readonly Condition[]
  /** By what its values are grouped in the end; of a semi-additive block the times and entities come in between. */
  readonly dimensions: readonly ResolvedDimension[]
  readonly groupBy: readonly NamedExpr[]
  readonly aggregates: readonly BoundAggregate[]
  /** What it brings to the rows of the answer, by the names of its aggregates. */
  readonly values: readonly BlockValue[]
  /** The key by which a base row counts once in each group; `undefined` where every row of the joins counts. */
  readonly onceBy: readonly NamedExpr[] | undefined
  /** What a row of the joins brings of its base row. */
  readonly weight: ConnectionWeight | undefined
  readonly semiAdditive: SemiAdditive | undefined
  /** Further columns of the rows, for those who look at them. */
  readonly beside: readonly NamedExpr[]
  readonly reason: string
}

/** The base with its forward joins and its bridges, or the sums of several facts with the base row where they meet. */
export interface BoundFrom {
  readonly base: BoundRows
  readonly bridges: readonly BoundBridge[]
  readonly facts: BoundFacts | undefined
  /** The values of a dimension that are groups of their own, where these rows are grouped by it. */
  readonly top: BoundTopValues | undefined
}

/** Beside each row the value of its own that is among the top, or none; `inner` where rows without are left out. */
export interface BoundTopValues<L = RelationColumn> {
  readonly type: 'left' | 'inner'
  readonly alias: string
  readonly on: Expr<L>
  readonly label: JoinLabel
}

/** The rows of one object, or of a many-to-many pair, with the objects that forward joins bring. */
export interface BoundRows {
  readonly start: Scan
  readonly joins: readonly BoundJoin[]
}

export interface BoundJoin {
  readonly type: 'left' | 'inner'
  readonly right: Scan | FoundRows | ConvertedEvents
  readonly on: RowExpr | undefined
  readonly label: JoinLabel
}

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

/** The links by which rows of another object connect, each once, with a `hit`. */
export interface FoundRows {
  readonly kind: 'found'
  readonly rows: BoundRows
  readonly where: readonly RowExpr[]
  readonly links: readonly NamedExpr[]
  readonly alias: string
}

/** The base events that a conversion event follows in time, each once, with a column `hit`. */
export interface ConvertedEvents {
  readonly kind: 'converted'
  readonly conversion: Pick<Conversion, 'unit' | 'count'>
  readonly base: BoundEvents
  readonly next: BoundEvents
  readonly alias: string
  readonly hit: string
}

/** Events by entity and time. */
export interface BoundEvents {
  readonly block: BoundBlock
  readonly alias: string
}

/** Rows that connect with the base rows, or with those of a bridge before it: none, one or many. */
export interface BoundBridge {
  readonly rows: BoundRows
  readonly where: readonly RowExpr[]
  readonly on: RowExpr
  readonly label: JoinLabel
  /** Set where the bridge is a relation of its own, of which only these columns are read. */
  readonly relation: BridgeRelation | undefined
}

export interface BridgeRelation {
  readonly alias: string
  readonly columns: readonly NamedExpr[]
  /** Whether rows that read alike are several, one, or one that weighs what they weigh together. */
  readonly alike: 'several' | 'one' | { readonly weight: NamedExpr; readonly reason: string }
}

/** Facts that meet at the key of the base, each summed there first. */
export interface BoundFacts {
  readonly alias: string
  readonly keys: readonly RowColumn[]
  readonly legs: readonly BoundFact[]
  readonly on: RowExpr
  /** The object where they meet. */
  readonly object: string
  readonly reason: string
}

export interface BoundFact {
  readonly block: BoundBlock
  readonly alias: string
}

/** What of a block over several facts is brought to windows before the facts meet, where they bring the time. */
export interface FactsInWindows {
  /** Each fact, with the values of dimensions that only the base has beside it. */
  readonly facts: readonly (BoundFact & { readonly beside: BesideBase | undefined })[]
  /** The rows of the base itself, where they are there at every time. */
  readonly own: BoundFact | undefined
  /** By what the facts meet within a window. */
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
  /** Rows that count; all when absent. */
  readonly filter: RowExpr | undefined
  /** NULL where no row meets this, also of a count. */
  readonly onlyWith?: RowExpr | undefined
}

export interface BlockValue extends RowColumn {
  /** A count: 0 where there are rows and none counts. */
  readonly emptyIsZero: boolean
}

/** What a connection brings of a base row, and the columns that tell connections of different weights apart. */
export interface ConnectionWeight extends TypedExpr {
  /** None where every connection stands in a row of its own. */
  readonly apart: readonly NamedExpr[]
}

/** A condition, and why rows must meet it. */
export interface Condition<L = RelationColumn> {
  readonly expression: Expr<L>
  readonly reason: string
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

export interface RowColumn {
  readonly name: string
  readonly type: DataType
}

export interface TypedExpr<L = RelationColumn> {
  readonly expression: Expr<L>
  readonly type: DataType
}

export interface NamedExpr<L = RelationColumn> extends RowColumn, TypedExpr<L> {}
