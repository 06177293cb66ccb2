/** The parts of API responses that the page reads. */
import type { Query } from '../query/query.js'

export interface Settings {
  readonly execution_enabled: boolean
  readonly curated: boolean
  readonly auth_mode: string
  readonly version: string
  readonly query_default_limit: number
  /** Who asks; absent if the server asks nobody. */
  readonly principal?: Who
}

export interface Who {
  readonly id: string
  /** A key without a name has only an id. */
  readonly name?: string
  readonly roles: readonly string[]
}

export interface ModelRef {
  readonly session: string
  readonly model: string
  readonly name: string
  /** Exists in a session of this page, and ends with it. */
  readonly own: boolean
}

interface Described {
  readonly name: string
  readonly description?: string
  readonly synonyms: readonly string[]
  readonly format?: string
  readonly status?: string
  /** What replaces a deprecated field. */
  readonly use?: string
}

export interface Dimension extends Described {
  readonly result_type: string
  readonly data_object: string
  readonly time_grain: string | null
}

export interface Measure extends Described {
  readonly result_type: string | null
  readonly aggregation: string
  readonly distinct?: boolean
  readonly expression?: string
  readonly columns: readonly { readonly data_object: string; readonly column: string }[]
  /** The object of a row count. */
  readonly anchor?: string
}

export interface Metric extends Described {
  readonly type: string
  readonly expression?: string
  readonly measure?: string
  readonly timeDimension?: string
  readonly component_measures: readonly string[]
}

export interface DataObject extends Described {
  readonly code: string
  readonly columns: readonly { readonly name: string; readonly abstract_type: string; readonly primary_key: boolean }[]
  readonly join_targets: readonly string[]
}

export interface Schema {
  readonly model_id: string
  readonly name?: string
  readonly description?: string
  readonly data_objects: readonly DataObject[]
  readonly dimensions: readonly Dimension[]
  readonly measures: readonly Measure[]
  readonly metrics: readonly Metric[]
  readonly segments: readonly Described[]
  readonly views?: readonly ViewOfModel[]
}

/** Some fields of a model, under the names of its readers. */
export interface ViewOfModel {
  readonly name: string
  readonly description?: string
  readonly fields: readonly { readonly name: string; readonly field: string }[]
}

export interface Composables {
  readonly anchorObjects: readonly string[]
  readonly dimensions: readonly string[]
  readonly measures: readonly string[]
  readonly metrics: readonly string[]
  /** Those of another fact: computed from its own rows, and joined by the groups. */
  readonly cflMeasures: readonly string[]
  readonly cflMetrics: readonly string[]
}

export interface Warning {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

export interface PlanNode {
  readonly op: string
  readonly detail: string
  readonly children: readonly PlanNode[]
}

export interface ExplainJoin {
  readonly from_object: string
  readonly to_object: string
  readonly join_columns: readonly string[]
  readonly reason: string
}

export interface Compiled {
  readonly sql: string
  readonly dialect: string
  readonly warnings: readonly Warning[]
  readonly sql_valid: boolean
  readonly physical_tables: readonly string[]
  readonly explain: {
    readonly planner: string
    readonly planner_reason: string
    readonly base_object: string
    readonly base_object_reason: string
    readonly joins: readonly ExplainJoin[]
    readonly cfl_legs: readonly {
      readonly measure_source: string
      readonly reason: string
      readonly joins: readonly ExplainJoin[]
    }[]
    readonly rollups?: readonly ExplainRollup[]
    readonly plan: PlanNode
  } | null
}

/** A rollup table of the model, and whether the question reads it. */
export interface ExplainRollup {
  readonly rollup: string
  readonly measures: readonly string[]
  readonly reason: string | null
  readonly says: string | null
  readonly read: boolean
  readonly as_of: string | null
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
  readonly definitions: readonly { readonly name: string; readonly kind: string; readonly definition: string }[]
  readonly filters: readonly string[]
  readonly time_ranges?: readonly TimeRange[]
  readonly timezone: string
  readonly tables?: readonly { readonly object: string; readonly as_of: string; readonly by: string; readonly build: string }[]
  readonly read_at: string
}

export interface Example {
  readonly name: string
  readonly description: string | null
  readonly query: Query
}
