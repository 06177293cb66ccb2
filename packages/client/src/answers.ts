/** The responses of `/v1`, as far as the client reads them. */
import type { Scalar } from './model-types.js'

export interface Finding {
  readonly code: string
  readonly message: string
  readonly path: string
  readonly severity: 'error' | 'warning'
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly context?: Readonly<Record<string, unknown>>
  readonly line?: number
  readonly column?: number
}

export interface Validation {
  readonly valid: boolean
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

export interface PlanNode {
  readonly op: string
  readonly detail: string
  readonly children: readonly PlanNode[]
}

/** A rollup table, the measures of the question that could be read from it, and why the first of the others could not. */
export interface RollupVerdict {
  readonly rollup: string
  readonly measures: readonly string[]
  readonly others: readonly string[]
  readonly reason: string | null
  readonly field: string | null
  readonly says: string | null
  /** Whether the statement reads it, the build that questions read now, and the moment of its data. */
  readonly read: boolean
  readonly build: string | null
  readonly as_of: string | null
}

export interface Compiled {
  /** Null if access rules bind the caller. */
  readonly sql: string | null
  readonly dialect: string
  /** Null if access rules bind the caller, as `sql` and `explain` are. */
  readonly resolved: {
    readonly fact_tables: readonly string[]
    readonly dimensions: readonly string[]
    readonly measures: readonly string[]
  } | null
  readonly warnings: readonly Finding[]
  readonly sql_valid: boolean
  readonly explain: {
    readonly planner: string
    readonly planner_reason: string
    readonly time_ranges?: readonly TimeRange[]
    readonly rules?: readonly string[]
    readonly rollups?: readonly RollupVerdict[]
    readonly plan: PlanNode
  } | null
  readonly physical_tables: readonly string[]
  /** For a statement: the outer SQL that is evaluated over the answers of its queries. */
  readonly outer_sql?: string | null
}

export interface AnswerColumn {
  readonly name: string
  readonly type: string
  readonly role?: string
  readonly format?: string
  /** Such as EUR or EUR/km; in `{Currency}`, the column of that name has the unit of each row. */
  readonly unit?: string
  /** `string` if every value is text so that no digit is lost; `number-or-string` if only large ones are. */
  readonly encoding?: 'string' | 'number-or-string'
}

export interface Definition {
  readonly name: string
  readonly kind: string
  readonly definition: string
  readonly status?: string
}

/** The times of a metric over time at one level of an answer. */
export interface TimeRange {
  readonly metric: string
  /** The time dimension along which the metric runs. */
  readonly time: string
  /** The dimensions that group the level; none for the total. */
  readonly level: readonly string[]
  /** The first day, or the first moment; null if the filters leave no first one. */
  readonly from: string | null
  /** The last day, or the moment at which it ends; null if the filters leave no last one. */
  readonly to: string | null
  /** From the first to the last time with which the level is compared. */
  readonly compared?: { readonly from: string | null; readonly to: string | null }
}

/** The meaning of the numbers of an answer. */
export interface Receipt {
  readonly model: string
  readonly version: string
  readonly definitions: readonly Definition[]
  readonly filters: readonly string[]
  readonly time_ranges?: readonly TimeRange[]
  readonly timezone: string
  /** The data objects that were read from rollup tables, and as of when. */
  readonly tables?: readonly { readonly object: string; readonly as_of: string; readonly by: string; readonly build: string }[]
  readonly read_at: string
}

export interface Answer<Row> extends Compiled {
  readonly columns: readonly AnswerColumn[]
  readonly rows: readonly Row[]
  readonly row_count: number
  readonly execution_time_ms: number
  readonly timezone?: string
  /** True if the server's default limit truncated the answer. */
  readonly truncated: boolean
  readonly cached: boolean
  readonly receipt?: Receipt
}

interface Described {
  readonly name: string
  readonly description?: string
  readonly owner?: string
  readonly format?: string
  /** As models write it: EUR/km, or a column as in `{[Orders].[Currency]}`. */
  readonly unit?: string
  readonly synonyms: readonly string[]
  readonly status?: 'proposed' | 'certified' | 'deprecated'
  readonly use?: string
}

export interface DimensionField extends Described {
  readonly result_type: string
  readonly data_object: string
  readonly column: string | null
  readonly time_grain: string | null
  /** The column of its data object that orders its values. */
  readonly sort_by?: string
  /** Coarser dimensions, the next one first. */
  readonly hierarchy?: readonly string[]
  /** The dimensions of the next finer level. */
  readonly drill_to?: readonly string[]
  readonly via?: string
}

export interface MeasureField extends Described {
  readonly result_type: string | null
  readonly aggregation: string
  readonly expression?: string
  readonly columns: readonly { readonly data_object: string; readonly column: string }[]
  readonly distinct: boolean
  readonly total: boolean
  readonly filters?: readonly unknown[]
  readonly grain?: unknown
  readonly filter_context?: unknown
  readonly semi_additive?: unknown
  /** The data have one value for each period of this grain. */
  readonly granularity?: string
  /** How sums are divided among the days of a period. */
  readonly spread?: string
  readonly dataType?: string
}

export interface MetricField extends Described {
  readonly type: string
  /** The type of its values; null if only a query with further fields shows it. */
  readonly result_type: string | null
  readonly expression?: string
  readonly measure?: string
  readonly timeDimension?: string
  readonly component_measures: readonly string[]
  readonly dataType?: string
}

export interface ModelSchema {
  readonly model_id: string
  readonly name?: string
  readonly description?: string
  readonly owner?: string
  readonly data_objects: readonly {
    readonly name: string
    readonly code: string
    readonly description?: string
    readonly columns: readonly {
      readonly name: string
      readonly code: string | null
      /** The measure or metric whose value for each row it is. */
      readonly measure?: string
      /** The data object of which it says whether rows connect with a row. */
      readonly exists?: string
      /** The window function over the rows of the data object whose value it is. */
      readonly window?: {
        readonly function: string
        readonly partition_by: readonly string[]
        readonly order_by: readonly string[]
        readonly direction?: 'desc'
        readonly column?: string
        readonly offset?: number
      }
      readonly abstract_type: string
      readonly primary_key: boolean
      readonly description?: string
    }[]
    readonly join_targets: readonly string[]
  }[]
  readonly dimensions: readonly DimensionField[]
  readonly measures: readonly MeasureField[]
  readonly metrics: readonly MetricField[]
  readonly filters: readonly {
    readonly data_object: string
    readonly column: string
    readonly operator: string
    readonly value?: unknown
    readonly values: readonly unknown[]
  }[]
  readonly segments: readonly { readonly name: string; readonly description?: string }[]
  /** Selections of fields under other names, which a query can ask instead of the model. */
  readonly views?: readonly {
    readonly name: string
    readonly description?: string
    readonly fields: readonly { readonly name: string; readonly field: string }[]
    readonly where: readonly unknown[]
    /** The data object whose rows it represents in SQL, if its author chose it. */
    readonly main_fact?: string
    /** Statements of SQL without FROM read it. */
    readonly default?: boolean
  }[]
  /** What a query gives values for. */
  readonly parameters?: readonly ParameterField[]
  /** Names of the grains of times. */
  readonly grains?: readonly string[]
}

export interface ParameterField {
  readonly name: string
  readonly type: string
  readonly list: boolean
  /** Absent if a query that reads the parameter must give a value. */
  readonly default?: unknown
  readonly values?: readonly unknown[]
  readonly min?: string | number
  readonly max?: string | number
  readonly nullable: boolean
  readonly description?: string
}

export interface FoundField {
  readonly name: string
  readonly kind: 'dimension' | 'measure' | 'metric' | 'segment' | 'data_object' | 'column'
  readonly score: number
  readonly reason: string
  readonly status?: 'proposed' | 'certified' | 'deprecated'
  readonly use?: string
}

export interface FoundFields {
  readonly query: string
  readonly results: readonly FoundField[]
  readonly exact_matches: readonly FoundField[]
  readonly synonym_matches: readonly FoundField[]
  readonly fuzzy_matches: readonly FoundField[]
  /** Words of the query that no field has. */
  readonly unmatched: readonly string[]
}

export interface Lineage {
  readonly name: string
  readonly type: string
  readonly lineage: readonly { readonly type: string; readonly name: string; readonly detail?: string }[]
}

export interface JoinGraph {
  readonly nodes: readonly string[]
  readonly edges: readonly {
    readonly from_object: string
    readonly to_object: string
    readonly cardinality: string
    readonly columns_from: readonly string[]
    readonly columns_to: readonly string[]
    readonly during?: {
      readonly interval: string
      readonly time: string
      readonly from: string
      readonly to: string
      readonly includes_end: boolean
    }
    /** The time for which the last row of `to_object`, or the next one, is looked up. */
    readonly as_of?: {
      readonly time: string
      readonly to: string
      readonly direction: string
      readonly within?: string
    }
    readonly secondary: boolean
    readonly path_name?: string
    readonly required: boolean
    readonly foreign_key: boolean
  }[]
}

export interface Composables {
  readonly dimensions: readonly string[]
  readonly measures: readonly string[]
  readonly metrics: readonly string[]
}

export interface Examples {
  readonly examples: readonly {
    readonly name: string
    readonly description: string | null
    readonly intent_tags: readonly string[]
  }[]
}

export interface Values {
  readonly dimension: string
  readonly values: readonly { readonly value: Scalar; readonly count: number | string }[]
  readonly truncated: boolean
}

/** The rows of one measure from which a number was computed. */
export interface FactRows {
  readonly measure: string
  /** The data object of these rows. */
  readonly object: string
  /** The value of the measure in the cell, from the query. */
  readonly value: Scalar
  /** The value of the measure over exactly these rows. */
  readonly aggregated: Scalar
  readonly reconciled: boolean
  /** The number of all rows, however many are returned. */
  readonly row_count: number
  readonly truncated: boolean
  /** All columns that these rows can show. */
  readonly offered_columns: readonly string[]
  readonly sql: string
  readonly columns: readonly AnswerColumn[]
  readonly rows: readonly Readonly<Record<string, Scalar>>[]
  readonly warnings: readonly Finding[]
}

/** The rows behind a cell of an answer. */
export interface RowsBehind {
  readonly measure: string
  readonly cell: Readonly<Record<string, Scalar>>
  readonly value: Scalar
  readonly reconciled: boolean
  readonly dialect: string
  readonly facts: readonly FactRows[]
}

export interface PublishedModel {
  readonly name: string
  readonly session_id: string
  readonly model_id: string
  readonly description?: string
  readonly data_objects: number
  readonly dimensions: number
  readonly measures: number
  readonly metrics: number
}
