/** The contract of an evaluator of outer statements: it gets finished rows, and can read nothing else. */
import type { DataType } from '../model/data-type.js'
import type { WeekStart } from '../model/grain.js'
import type { Named } from '../point.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'

/** Answers a SELECT over given batches, without any database. Chosen by its registration. */
export interface Evaluator extends Named {
  /** The functions that a statement may use, by their lower-case names in SQL. Other functions are refused and never written. */
  readonly functions: Readonly<Record<string, EvaluatorFunction>>
  /** The SQL of a type in a CAST. */
  readonly type: (type: DataType) => string
  /** How two values are concatenated; `||` by default. */
  readonly joined?: (left: string, right: string) => string
  /** Rejects with `EVALUATION_REFUSED` if the statement is invalid for it, `EVALUATION_TOO_LARGE` and `QUERY_TIMEOUT` if it exceeds a limit. */
  evaluate(request: EvaluationRequest): Promise<Evaluation>
}

/** A function that statements may use: its specification, and its SQL in the evaluator. */
export interface EvaluatorFunction {
  readonly kind: 'scalar' | 'aggregate' | 'window'
  /** Present if its SQL is not its own name. `weekStart`: the day on which the weeks of `date_trunc` begin. */
  readonly spelled?: (args: readonly string[], weekStart?: WeekStart) => string
}

/** A SELECT and the relations that it may read, with its limits. */
export interface EvaluationRequest {
  readonly sql: string
  readonly relations: readonly EvaluatedRelation[]
  /** The zone in which instants are read as local times: in parts, periods and casts, and where they are compared with local times. */
  readonly zone: string
  /** Aborting stops the evaluation, which rejects with the signal's reason. */
  readonly signal: AbortSignal
  readonly timeoutMs?: number
  /** The setting in the error message. */
  readonly timeoutSetting?: string
  /** The client. If many wait for a place, each client gets a share of them; without it, the server itself is the client. */
  readonly client?: string
}

/** The rows of a model query. Its columns have the names of `schema`, which are plain identifiers. */
export interface EvaluatedRelation {
  readonly name: string
  readonly schema: ResultSchema
  readonly batches: AsyncIterable<RecordBatch>
}

/** The rows of an evaluated statement. */
export interface Evaluation {
  readonly schema: ResultSchema
  /** Can be read once. Ending early frees its resources. */
  readonly batches: AsyncIterable<RecordBatch>
}
