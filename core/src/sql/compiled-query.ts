import type { ReadBuild } from '../bind/rollups/rollup-states.js'
import type { Finding } from '../errors.js'
import type { GivenValue } from '../model/parameter.js'
import type { Explain } from '../plan/explain-plan.js'
import type { Readings } from '../resolve/clock.js'
import type { TimeRange } from '../resolve/resolved-query.js'
import type { ResultSchema } from '../result/record-batch.js'

/** The result of a compilation: the SQL text, its columns, and what explains it. */
export interface CompiledQuery {
  readonly sql: string
  readonly dialect: string
  /** The columns of the answer in order, typed before the first row. */
  readonly columns: ResultSchema
  readonly resolved: {
    readonly fact_tables: readonly string[]
    readonly dimensions: readonly string[]
    readonly measures: readonly string[]
  }
  readonly warnings: readonly Finding[]
  /** The parameters that it reads, by name. Those from nowhere have no value, and are NULL in the text: it describes a query, and cannot be run. */
  readonly parameters: readonly ReadParameter[]
  /** The times of its metrics over time, level by level. */
  readonly timeRanges: readonly TimeRange[]
  /** Its explanation, which is made when it is first asked for. */
  readonly explain: () => Explain
  /** `DATABASE.SCHEMA.TABLE` of every physical table that the statement reads, sorted, each once. */
  readonly physical_tables: readonly string[]
  /** Names of the data objects whose rows it reads, sorted, each once. */
  readonly data_objects: readonly string[]
  /** The builds of rollups that it reads in place of facts. */
  readonly rollups: readonly ReadBuild[]
  /** `read`, `partly`, or the first reason why it reads no rollup table; absent where none could be. */
  readonly rollupOutcome?: () => string
  /** `Object.Column` of every column that is read as it is declared though it is not known how it is stored; sorted, each once. */
  readonly unchecked_columns: readonly string[]
  /** The limit of the statement, `undefined` if it has none. */
  readonly limit: number | undefined
  /** The current periods that the text contains; when the clock gives others, the query must be compiled again. */
  readonly readings: Readings
}

/** A parameter that a statement reads. */
export interface ReadParameter {
  readonly name: string
  readonly value?: GivenValue
  readonly from: 'query' | 'default' | 'nowhere'
}

export type { Explain, ExplainJoin, ExplainNode } from '../plan/explain-plan.js'
