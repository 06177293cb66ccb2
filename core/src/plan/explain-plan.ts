import type { TimeRange } from '../resolve/resolved-query.js'

/** The explanation of a query, as the API returns it. */
export interface Explain {
  readonly planner: string
  readonly planner_reason: string
  readonly base_object: string
  readonly base_object_reason: string
  readonly joins: readonly ExplainJoin[]
  readonly where_filter_count: number
  readonly having_filter_count: number
  readonly has_totals: boolean
  readonly cfl_legs: readonly {
    readonly measure_source: string
    readonly common_root: string
    readonly reason: string
    readonly measures: readonly string[]
    readonly joins: readonly ExplainJoin[]
  }[]
  /** The columns whose stored type differs from the declared one or is not known. */
  readonly stored_columns: readonly ExplainStored[]
  /** The times of its metrics over time, level by level, and those with which they are compared. */
  readonly time_ranges: readonly TimeRange[]
  /** The rules for speed that changed the plan or the statement, in order. */
  readonly rules: readonly string[]
  /** The rollup tables of the model, and whether the question could be answered from them. */
  readonly rollups: readonly ExplainRollup[]
  readonly plan: ExplainNode
}

/** A rollup table, and what of a question it holds. */
export interface ExplainRollup {
  readonly rollup: string
  /** The measures of the question that could be read from it. */
  readonly measures: readonly string[]
  readonly others: readonly string[]
  /** Why another one could not: the code of docs/rollups.md, the field because of which, and both in words. */
  readonly reason: string | null
  readonly field: string | null
  readonly says: string | null
  /** Whether the statement reads it. */
  readonly read: boolean
  /** The build that questions read now, and the moment of its data; `null` if there is none or nothing is known of builds. */
  readonly build: string | null
  readonly as_of: string | null
}

/** A join of the statement, and its reason. */
export interface ExplainJoin {
  readonly from_object: string
  readonly to_object: string
  readonly join_columns: readonly string[]
  /** The alias of the joined rows, which distinguishes the roles of one object. */
  readonly role?: string
  /** The objects on the path to them, from the rows that are counted or from those of a bridge. */
  readonly way?: readonly string[]
  readonly reason: string
}

/** A column, and how the database stores it. */
export interface ExplainStored {
  readonly column: string
  readonly declared: string
  /** The type as the database spells it; `null` where it is unknown. */
  readonly stored: string | null
  /** Present if it is not by code point. */
  readonly collation: string | null
}

/** One step of the logical plan as a readable tree. */
export interface ExplainNode {
  readonly op: string
  readonly detail: string
  readonly children: readonly ExplainNode[]
}
