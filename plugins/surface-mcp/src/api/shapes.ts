/** The parts of the responses of `/v1` that the tools read. */
export interface Field {
  readonly name: string
  readonly description?: string
  readonly format?: string
  readonly unit?: string
  readonly synonyms: readonly string[]
  readonly status?: string
  readonly use?: string
}
export interface Dimension extends Field {
  readonly result_type: string
  readonly data_object: string
  readonly column: string | null
  readonly time_grain: string | null
  readonly drill_to?: readonly string[]
}
export interface Measure extends Field {
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
  readonly granularity?: string
  readonly spread?: string
}
export interface Metric extends Field {
  readonly type: string
  readonly expression?: string
  readonly measure?: string
  readonly timeDimension?: string
  readonly component_measures: readonly string[]
}
export interface Schema {
  readonly name?: string
  readonly description?: string
  readonly dimensions: readonly Dimension[]
  readonly measures: readonly Measure[]
  readonly metrics: readonly Metric[]
  readonly filters: readonly {
    readonly data_object: string
    readonly column: string
    readonly operator: string
    readonly value?: unknown
    readonly values: readonly unknown[]
  }[]
  readonly parameters: readonly ModelParameter[]
  readonly views: readonly ModelView[]
}
/** A topic: some fields, under the names that its readers use. */
export interface ModelView {
  readonly name: string
  readonly description?: string
  readonly fields: readonly { readonly name: string; readonly field: string }[]
}
export interface ModelParameter {
  readonly name: string
  readonly type: string
  readonly list: boolean
  readonly default?: unknown
  readonly values?: readonly unknown[]
  readonly description?: string
}
export interface Found {
  readonly results: readonly { readonly name: string; readonly kind: string; readonly score: number }[]
  readonly unmatched?: readonly string[]
}
export interface Composables {
  readonly dimensions: readonly string[]
  readonly measures: readonly string[]
  readonly metrics: readonly string[]
}
export interface Warning {
  readonly code: string
  readonly message: string
  readonly hint?: string
}
export interface PlanNode {
  readonly op: string
  readonly detail?: string
  readonly children?: readonly PlanNode[]
}
export interface Compiled {
  readonly sql: string
  readonly dialect: string
  readonly warnings: readonly Warning[]
  readonly explain: { readonly planner_reason: string; readonly plan?: PlanNode } | null
}
export interface TimeRange {
  readonly metric: string
  readonly time: string
  readonly level: readonly string[]
  readonly from: string | null
  readonly to: string | null
  readonly compared?: Pick<TimeRange, 'from' | 'to'>
}
export interface Receipt {
  readonly model: string
  readonly version: string
  readonly definitions: readonly {
    readonly name: string
    readonly kind: string
    readonly definition: string
    readonly status?: string
  }[]
  readonly filters: readonly string[]
  readonly time_ranges?: readonly TimeRange[]
  readonly timezone: string
  readonly tables?: readonly { readonly object: string; readonly as_of: string; readonly by: string }[]
  readonly read_at: string
}
export interface Executed extends Compiled {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly unit?: string }[]
  readonly rows: readonly (readonly unknown[])[]
  readonly row_count: number
  readonly truncated: boolean
  readonly receipt?: Receipt
}
