/** A semantic query in its one canonical form (snake_case, every list present). `parseQuery` makes it from what a client sent. */

import type { Operator } from '../model/operators.js'
import type { GivenValue, ParameterReference } from '../model/parameter.js'
import type { COMPARISONS, FilterValue } from '../model/semantic-model.js'

export type Comparison = (typeof COMPARISONS)[number]

/** A parsed query: dimensions and measures, filters, subtotals, order and page. `docs/reference/query.md` describes each key. */
export interface QueryObject {
  readonly select: {
    readonly dimensions: readonly QueryDimension[]
    readonly measures: readonly string[]
    /** Raw rows: `Object.Column`. */
    readonly fields: readonly string[]
    readonly distinct: boolean
  }
  readonly where: readonly QueryFilter[]
  readonly having: readonly QueryFilter[]
  readonly order_by: readonly QueryOrder[]
  readonly limit?: number
  readonly offset?: number
  readonly use_path_names: readonly { readonly source: string; readonly target: string; readonly path_name: string }[]
  readonly allow_fan_out: boolean
  readonly dimensions_exclude: boolean
  readonly grouping?: Grouping
  readonly strict_filters?: boolean
  /** Of the range of the answer, or of the times that the filters leave. */
  readonly fill_gaps?: boolean | 'range'
  readonly timezone?: string
  readonly top?: QueryTop
  /** The query whose detail rows are the tuples of `of: shown`, if it is another one: a cell has those of its answer. */
  readonly shownBy?: QueryObject
  /** The data object whose tuples are rows of the answer, whatever is selected. */
  readonly rows_of?: string
  /** The view of the model whose fields the query names; without it, those of the model. */
  readonly view?: string
  /** The values of parameters of the model, by name. */
  readonly parameters?: Readonly<Record<string, GivenValue>>
  /** Measures for each row of a data object, under names that the rest of the query uses like those of dimensions. */
  readonly columns?: readonly QueryColumn[]
  /** Measures and metrics that the query writes itself, under names that the rest of it uses like those of the model. */
  readonly measures?: readonly QueryMeasure[]
  /** Whether rollup tables may be read in place of facts, or must be; without it, as the server is set. */
  readonly rollups?: RollupChoice
  /** Every selected measure beside its value in another period. */
  readonly compare?: QueryCompare
}

/** How a query compares its measures: the shift of its times, and which columns it adds for each measure. */
export interface QueryCompare {
  /** The time dimension whose range moves. */
  readonly time: string
  /** A grain, or `range`: as many days as the query leaves. */
  readonly unit: string
  /** So many units back. */
  readonly count: number
  readonly show: readonly Comparison[]
  /** The times that the query leaves end at the clock. */
  readonly until_now: boolean
  /** The measures that are its columns, once they are selected. */
  readonly columns?: readonly string[]
}

export const ROLLUP_CHOICES = ['allow', 'never', 'require'] as const
export type RollupChoice = (typeof ROLLUP_CHOICES)[number]

/** A measure or metric of one query. */
export interface QueryMeasure {
  readonly as: string
  /** The entry that a model would have. */
  readonly definition: Readonly<Record<string, unknown>>
  /** Its place in the query. */
  readonly path: string
}

export interface QueryColumn extends QueryPer {
  readonly as: string
}

/** The n values of a selected dimension with the largest (`asc`: the smallest) value of a measure. */
export interface QueryTop {
  /** The dimension as it is selected, or its name. */
  readonly dimension: string
  readonly by: string
  readonly n: number
  readonly order: 'asc' | 'desc'
  /** The name of the group of all other values; without it they are left out. */
  readonly others?: string
}

/** Subtotals: of leading dimensions, of all combinations, or of the listed sets (each names selected dimensions). */
export type Grouping = GroupingLevels | { readonly sets: GroupingLevels | readonly (readonly string[])[]; readonly of?: 'shown' }

export type GroupingLevels = 'rollup' | 'cube'

export type QueryDimension =
  /** `Name` or `Name:grain`, as written. */
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'coalesce'; readonly members: readonly string[]; readonly as: string; readonly grain?: string }
  /** In the expression grammar of the model, over `{[Dimension]}` and `{[Dimension:grain]}`. */
  | { readonly kind: 'expression'; readonly expression: string; readonly as: string }
  /** A measure or metric for each row of a data object. */
  | ({ readonly kind: 'per'; readonly as: string; readonly grain?: string } & QueryPer)

/** A measure or metric, and the data object whose rows have its values. */
export interface QueryPer {
  readonly measure: string
  readonly per: string
}

export type QueryFilter =
  /** A condition in the expression grammar of the model: over dimensions in where, over the columns of the answer in having. */
  | { readonly kind: 'expression'; readonly expression: string; readonly path: string }
  /** A named filter of the model. */
  | { readonly kind: 'segment'; readonly name: string; readonly path: string }
  | {
      readonly kind: 'leaf'
      readonly field: string
      /** In place of a field of the model: what `field` is the name of. */
      readonly of?: QueryPer
      readonly op: Operator
      /** Absent for operators without a value; a list for `in`, `between`; an object for `relative`. */
      /** A member of a list may be a parameter, too. */
      readonly value?: QueryValue | readonly QueryValue[] | RelativeRange
      readonly subquery?: ExistsSubquery
      /** Whether rows for which it is unknown are kept. */
      readonly orMissing?: true
      /** Dotted path in the query, for errors: `where[0].filters[1]`. */
      readonly path: string
    }
  | {
      readonly kind: 'group'
      readonly logic: 'and' | 'or'
      readonly filters: readonly QueryFilter[]
      readonly negated: boolean
      readonly orMissing?: true
      readonly path: string
    }

/** A value, or the parameter that has it. */
export type QueryValue = FilterValue | ParameterReference

export interface RelativeRange {
  /** A grain, which may be one of a calendar of the model. */
  readonly unit: string
  readonly count: number
  readonly direction: 'past' | 'future'
  readonly include_current: boolean
}

export interface ExistsSubquery {
  readonly dataObject: string
  readonly pathName?: string
  /** Conditions on columns of the target or of objects that it reaches: `field` is `Column` or `Object.Column`, or a dimension's name. */
  readonly filter: readonly QueryFilter[]
}

export interface QueryOrder {
  /** A selected field, any measure or metric, a dimension that selected ones determine, or a 1-based position. */
  readonly field: string | number
  readonly direction: 'asc' | 'desc'
  readonly nulls?: 'first' | 'last'
  /** A dimension by its values, even if the model orders these by another column. */
  readonly by?: 'value'
}
