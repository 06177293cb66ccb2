import type { ColumnName, DimensionText, MeasureName, ModelTypes, ParameterName, ParameterValues, Scalar } from './model-types.js'
import type { Operator } from './operators.js'

/** A query in the form of the API: the same JSON works with every client of `/v1`. */
export interface Query<M extends ModelTypes> {
  readonly select: {
    readonly dimensions?: readonly DimensionChoice<M>[]
    /** Measures and metrics, by name or as the query writes them itself. */
    readonly measures?: readonly (MeasureName<M> | OwnMeasure)[]
    /** Raw rows: columns as `Object.Column`. */
    readonly fields?: readonly ColumnName<M>[]
    readonly distinct?: boolean
  }
  readonly where?: readonly Condition<M>[]
  readonly having?: readonly Condition<M>[]
  readonly order_by?: readonly Order<M>[]
  readonly limit?: number
  readonly offset?: number
  readonly use_path_names?: readonly { readonly source: string; readonly target: string; readonly path_name: string }[]
  readonly allow_fan_out?: boolean
  readonly dimensions_exclude?: boolean
  readonly grouping?:
    | 'rollup'
    | 'cube'
    | { readonly sets: 'rollup' | 'cube' | readonly (readonly string[])[]; readonly of?: 'all' | 'shown' }
  readonly strict_filters?: boolean
  readonly fill_gaps?: boolean | 'range'
  /** The n values of a selected dimension with the largest value of a measure; all others are one group, or left out. */
  readonly top?: {
    readonly dimension: string
    readonly by: MeasureName<M>
    readonly n: number
    /** The largest (`desc`, the default) or the smallest. */
    readonly order?: 'asc' | 'desc'
    /** The name of the group of all other values. */
    readonly others?: string
  }
  /** Measures and metrics of this query alone, under names that filters and orders, and other such measures, use. */
  readonly measures?: readonly OwnMeasure[]
  /** A data object: the combinations of the dimensions that occur with its rows are rows of the answer. */
  readonly rows_of?: string
  /** A view of the model, whose names the query then uses. */
  readonly view?: string
  /** An IANA zone. */
  readonly timezone?: string
  /** The values of parameters of the model. */
  readonly parameters?: ParameterValues<M>
  /** Whether rollup tables may be read in place of facts, or must be; by default as the server is set. */
  readonly rollups?: 'allow' | 'never' | 'require'
  /** Measures for each row of a data object, under names that expressions of the query use. */
  readonly columns?: readonly { readonly measure: MeasureName<M>; readonly per: string; readonly as: string }[]
  /** Every selected measure beside its value in another period; `unit` is a grain, or `range` for as many days as the query leaves. */
  readonly compare?: {
    readonly time: string
    readonly unit: string
    readonly count?: number
    readonly show?: readonly ('previousValue' | 'difference' | 'ratio' | 'percentChange')[]
    readonly until_now?: boolean
  }
}

export type DimensionChoice<M extends ModelTypes> =
  | DimensionText<M>
  | { readonly coalesce: readonly DimensionText<M>[]; readonly as: string; readonly grain?: M['grains'] }
  | { readonly expression: string; readonly as: string }
  /** A measure for each row of a data object, by its key. */
  | { readonly measure: MeasureName<M>; readonly per: string; readonly as: string; readonly grain?: M['grains'] }

export interface Order<M extends ModelTypes> {
  /** A selected field, any measure or metric, a dimension that selected ones determine, or a position from 1. */
  readonly field: DimensionText<M> | MeasureName<M> | ColumnName<M> | number
  readonly direction?: 'asc' | 'desc'
  readonly nulls?: 'first' | 'last'
  /** A dimension that the model orders by another column, by its own values. */
  readonly by?: 'value'
}

export interface RelativeRange {
  readonly unit: string
  readonly count: number
  readonly direction?: 'past' | 'future'
  readonly include_current?: boolean
}

/** A value, or the parameter of the model that has it. */
export type ConditionValue<M extends ModelTypes> = Scalar | { readonly parameter: ParameterName<M> }

type Field<M extends ModelTypes> = DimensionText<M> | MeasureName<M> | ColumnName<M>

export type Condition<M extends ModelTypes> =
  | {
      readonly field: Field<M>
      readonly op: Operator
      readonly value?: ConditionValue<M> | readonly ConditionValue<M>[]
      /** With a negative operator: rows without a value remain, too. */
      readonly or_missing?: boolean
    }
  | { readonly field: Field<M>; readonly op: 'relative'; readonly value: RelativeRange }
  /** A measure for each row of a data object. In `where` only. */
  | {
      readonly measure: MeasureName<M>
      readonly per: string
      readonly op: Operator
      readonly value?: ConditionValue<M> | readonly ConditionValue<M>[] | RelativeRange
      readonly or_missing?: boolean
    }
  | {
      readonly field: string
      readonly op: 'exists' | 'nonexists'
      readonly subquery: { readonly data_object: string; readonly path_name?: string; readonly filter?: readonly unknown[] }
    }
  | {
      readonly logic?: 'and' | 'or'
      readonly filters: readonly Condition<M>[]
      readonly negated?: boolean
      /** With `negated`: rows for which the opposite is unknown remain, too. */
      readonly or_missing?: boolean
    }
  /** In the expression grammar of the model. */
  | { readonly expression: string }
  /** A named filter of the model. */
  | { readonly segment: M['segments'] }

/** Refuses keys that a query does not have, which an inferred type would accept. */
export type Exactly<Q, M extends ModelTypes> = Q & Record<Exclude<keyof Q, keyof Query<M>>, never>

/** A measure or metric of one query: its name, and what a model writes of a measure (with `aggregation`) or of a metric. */
export interface OwnMeasure {
  readonly as: string
  readonly [key: string]: unknown
}
