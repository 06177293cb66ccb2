/** The result of `verify`: the counts of every check, and a finding for each difference from the model. */
import type { Finding } from '../errors.js'

/** What the data show about a model: keys, joins, weights, examples, and a finding for each rule that they break. */
export interface VerifyReport {
  readonly model: string | null
  /** ISO 8601, UTC. */
  readonly checked_at: string
  readonly status: 'ok' | 'findings'
  readonly objects: readonly ObjectReport[]
  readonly edges: readonly EdgeReport[]
  readonly weights: readonly WeightReport[]
  readonly arrays: readonly ArrayReport[]
  readonly sorts: readonly SortReport[]
  readonly calendars: readonly CalendarReport[]
  readonly trees: readonly TreeReport[]
  readonly dimensions: readonly DimensionReport[]
  readonly measures: readonly MeasureReport[]
  readonly findings: readonly Finding[]
}

/** A value in JSON; integers beyond 2^53 and decimals are text. */
export type JsonValue = string | number | boolean | null
/** The value of a key of one column, the values of a key of several. */
export type KeyExample = JsonValue | readonly JsonValue[]

export interface ObjectReport {
  readonly name: string
  readonly key: readonly string[]
  readonly rows: number
  /** Keys that more than one row has. */
  readonly duplicate_keys: number
  /** Rows of which a part of the key is NULL. */
  readonly null_keys: number
  /** Up to five duplicate keys, those with the most rows first. */
  readonly examples: readonly KeyExample[]
  /** The other declared keys; rows of which a part is NULL are not compared. */
  readonly unique_keys: readonly UniqueKeyReport[]
}

export interface UniqueKeyReport {
  readonly columns: readonly string[]
  readonly duplicate_keys: number
  readonly examples: readonly KeyExample[]
}

export interface EdgeReport {
  readonly from_object: string
  readonly to_object: string
  readonly columns_from: readonly string[]
  readonly columns_to: readonly string[]
  readonly join_type: string
  readonly path_name: string | null
  /** Whether the join is declared a foreign key, or could be: each row whose link is not NULL matches a row. */
  readonly foreign_key: 'declared' | 'possible' | 'no'
  readonly rows: number
  /** Rows whose link is not NULL and matches no row. */
  readonly without_parent: number
  /** Distinct links among them. */
  readonly missing_parents: number
  /** Rows of which a part of the link is NULL. */
  readonly null_links: number
  /** Links that match more than one row there. */
  readonly duplicate_targets: number
  /** For asOf: keys and times that more than one row there has, of which the greatest key decides. */
  readonly ties?: number
  /** Links that more than one row here has. */
  readonly duplicate_sources: number
  /** Up to five links without a matching row, those with the most rows first. */
  readonly examples: readonly KeyExample[]
  /** Up to five links that break the declared cardinality, or ties. */
  readonly duplicate_examples: readonly KeyExample[]
}

/** A table of days. */
export interface CalendarReport {
  readonly name: string
  readonly key: string
  readonly days: number
  /** Runs of days that are missing between the first and the last one. */
  readonly missing: number
  /** Up to five first days of these. */
  readonly examples: readonly KeyExample[]
  readonly periods: readonly CalendarPeriodReport[]
}

/** The tree of a closure. */
export interface TreeReport {
  /** The closure, and the object whose rows name their parents. */
  readonly name: string
  readonly data_object: string
  readonly key: string
  readonly parent: string
  readonly rows: number
  /** The most steps from a row to one below it. */
  readonly deepest: number
  /** Distinct parents that are the key of no row: what names them is a root. */
  readonly missing_parents: number
  /** Up to five of them. */
  readonly examples: readonly KeyExample[]
  /** Rows on a circle, or below one: they have no level. */
  readonly without_root: number
  /** Up to five of them. */
  readonly circle_examples: readonly KeyExample[]
}

/** A column that is declared a function of a period. */
export interface CalendarPeriodReport {
  readonly column: string
  readonly period: string
  readonly periods: number
  /** Periods whose days have several values. */
  readonly several_values: number
  /** Up to five first days of these. */
  readonly examples: readonly KeyExample[]
  /** Values on days of several periods; of a boolean, true. Of a place in a longer period: the longer one with the value. */
  readonly several_periods: number
  readonly value_examples: readonly KeyExample[]
  /** Of a column that names periods of the table itself: values whose days do not adjoin. */
  readonly in_pieces?: number
  readonly piece_examples?: readonly KeyExample[]
  /** The column of the next longer periods of the table, and values that lie in several of these. */
  readonly longer?: string
  readonly across?: number
  readonly across_examples?: readonly KeyExample[]
}

export interface WeightReport {
  readonly bridge: string
  /** The side whose rows must each be distributed completely. */
  readonly to_object: string
  readonly columns: readonly string[]
  readonly weight: string
  /** Distinct links of the bridge to that side. */
  readonly groups: number
  /** Those whose weights do not add up to 1, to within a thousandth. */
  readonly off: number
  /** Up to five of them. */
  readonly examples: readonly KeyExample[]
}

export interface ArrayReport {
  /** The object whose rows are the elements. */
  readonly name: string
  /** The object and the column that hold the arrays. */
  readonly data_object: string
  readonly column: string
  readonly rows: number
  /** Rows whose value is JSON, but no array: they have no elements. */
  readonly not_arrays: number
}

export interface SortReport {
  readonly dimension: string
  readonly data_object: string
  /** The column that orders its values. */
  readonly sort_by: string
  /** Values with a place. */
  readonly values: number
  /** Those that rows put at several places. */
  readonly several: number
  /** Up to five of them. */
  readonly examples: readonly KeyExample[]
}

export interface DimensionReport {
  readonly name: string
  readonly distinct: number
  /** Rows of its data object. */
  readonly rows: number
}

export interface MeasureReport {
  readonly name: string
  readonly type: string
  readonly rows: number
  /** Minimum and maximum of the summed values; `null` without any. */
  readonly min: string | null
  readonly max: string | null
  /** The maximum absolute value of any sum of these rows. */
  readonly bound: string
  /** The greatest number of the type. */
  readonly limit: string
}
