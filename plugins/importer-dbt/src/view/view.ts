/** A semantic view as records: tables with facts and dimensions, relationships and metrics. */
import type { Place } from '../part.js'
import type { Reading } from '../sql-expression.js'

/** A fact, a dimension, a metric or a filter. */
export interface Item {
  /** As it is written, without quotes. */
  readonly name: string
  /** As the database knows it. */
  readonly key: string
  readonly sql: string
  readonly type: string | undefined
  readonly description: string | undefined
  readonly synonyms: readonly string[]
  readonly isPrivate: boolean
  readonly isUnique: boolean
  readonly place: Place
  readonly sqlPlace: Place
  /** Why it cannot be read. */
  readonly odd?: string | undefined
}

export interface NonAdditive {
  readonly table: string | undefined
  readonly dimension: string
  readonly isDescending: boolean
  /** Where NULLs are, if it is written. */
  readonly nulls: string | undefined
  readonly place: Place
}

export interface Metric extends Item {
  /** The rows that it aggregates. */
  readonly filter?: { readonly sql: string; readonly place: Place } | undefined
  readonly nonAdditive: readonly NonAdditive[]
  readonly relationships: readonly string[]
  /** What is computed from its value over time. */
  readonly over?: OverTime | undefined
  /** How its values are shown. */
  readonly format?: string | undefined
}

/** A value over time: each step is a metric over the one before it. */
export interface OverTime {
  /** The table and the dimension of the time. */
  readonly table: string
  readonly dimension: string
  /** A step over a time dimension and what it is computed from. */
  readonly steps: readonly ((measure: string, timeDimension: string) => Readonly<Record<string, unknown>>)[]
  readonly place: Place
}

export interface Table {
  readonly name: string
  readonly key: string
  readonly code: string
  readonly schema: string | undefined
  readonly database: string | undefined
  readonly description: string | undefined
  readonly synonyms: readonly string[]
  readonly primaryKey: readonly string[]
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly facts: readonly Item[]
  readonly dimensions: readonly Item[]
  readonly times: readonly Item[]
  readonly metrics: readonly Metric[]
  readonly filters: readonly Item[]
  readonly place: Place
}

export interface RelationshipColumn {
  readonly left: string
  readonly right: string
  readonly isAsOf: boolean
  /** The end of a period that begins at `right`, and must contain `left`. */
  readonly until?: string
}

export interface Relationship {
  readonly name: string
  /** The name by which a query may take it, if it has one. */
  readonly pathName?: string | undefined
  readonly key: string
  readonly left: string
  readonly right: string
  readonly columns: readonly RelationshipColumn[]
  readonly cardinality: string | undefined
  readonly joinType: string | undefined
  /** Whether rows without a match do not count. */
  readonly isRequired?: boolean
  /** What it says that has no place in a join of the model. */
  readonly odd: string | undefined
  readonly place: Place
}

export interface View {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly tables: readonly Table[]
  readonly relationships: readonly Relationship[]
  readonly metrics: readonly Metric[]
  /** Conditions of every question, over the rows of the first table. */
  readonly filters?: readonly Item[]
  readonly queries: readonly ViewQuery[]
}

/** A question of the view, in SQL. */
export interface ViewQuery {
  readonly name: string
  readonly question: string | undefined
  readonly sql: string
  readonly place: Place
}

/** How a format reads names, types and functions. */
export interface ViewFormat {
  /** The product, as its users call it. */
  readonly product: string
  /** The name of a column or item, as it is stored, of a word that the grammar of SQL has read in `sql`. */
  readonly spelled: (word: string, sql: string) => string
  /** By what names are compared. */
  readonly key: (name: string) => string
  /** A name as it is written in the text, as it is stored. */
  readonly stored: (written: string) => string
  readonly type: (written: string | undefined) => ColumnType | undefined
  readonly call: NonNullable<Reading['call']>
  /** What gives a column a type, for the list. */
  readonly typeHint: string
  /** Whether a metric without a table may read several tables, and columns without the name of theirs. */
  readonly readsManyTables: boolean
  /** Whether a question takes the first of several joins of two tables; otherwise each of them must be named. */
  readonly takesFirstJoin: boolean
  /** The key of the table that names alone belong to; without it, they belong to the table of their item. */
  readonly alone?: string
  /** The key of the table whose rows an aggregate counts that reads these tables; without it, the one that reaches the others. */
  readonly home?: (tables: readonly string[]) => string | undefined
  /** The function around a metric that another one reads; without it, its name alone. */
  readonly metricCall?: string
}

/** The type of a column of the model. */
export interface ColumnType {
  readonly abstractType: string
  readonly sqlType?: string
}
