import type { Finding } from '../errors.js'
import type { ResultSchema } from '../result/record-batch.js'

/** What a question became: the text to run, the columns it will have, and how it was understood. */
export interface CompiledQuery {
  readonly sql: string
  readonly dialect: string
  /** The columns of the answer in order, typed before the first row. */
  readonly columns: ResultSchema
  readonly resolved: { readonly fact_tables: readonly string[]; readonly dimensions: readonly string[]; readonly measures: readonly string[] }
  readonly warnings: readonly Finding[]
  readonly explain: Explain
  /** `DATABASE.SCHEMA.TABLE` of every physical table that the statement reads, sorted, each once. */
  readonly physical_tables: readonly string[]
  /** The limit of the statement, `undefined` when it has none. */
  readonly limit: number | undefined
}

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
  readonly plan: ExplainNode
}

export interface ExplainJoin {
  readonly from_object: string
  readonly to_object: string
  readonly join_columns: readonly string[]
  readonly reason: string
}

/** One step of the logical plan as a readable tree. */
export interface ExplainNode {
  readonly op: string
  readonly detail: string
  readonly children: readonly ExplainNode[]
}
