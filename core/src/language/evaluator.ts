/** The contract of what evaluates the outer statement: it is given finished rows, and reaches nothing else. */
import type { DataType } from '../model/data-type.js'
import type { Named } from '../point.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'

/** Answers a SELECT over given batches, without any database. Chosen by its registration. */
export interface Evaluator extends Named {
  /** The functions that a statement may use, by their lower-case names in SQL. What is not listed is refused and never written. */
  readonly functions: Readonly<Record<string, EvaluatorFunction>>
  /** How it spells a type in a CAST. */
  readonly type: (type: DataType) => string
  /** How two values are concatenated; the default is `||`. */
  readonly joined?: (left: string, right: string) => string
  /** Rejects with `EVALUATION_REFUSED` where the statement is wrong for it, `EVALUATION_TOO_LARGE` and `QUERY_TIMEOUT` where it is too much. */
  evaluate(request: EvaluationRequest): Promise<Evaluation>
}

/** A function that statements may use: what it is, and how the evaluator spells it. */
export interface EvaluatorFunction {
  readonly kind: 'scalar' | 'aggregate' | 'window'
  /** Where it is not spelled by its own name. */
  readonly spelled?: (args: readonly string[]) => string
}

/** A SELECT and the relations that it may read, with its limits. */
export interface EvaluationRequest {
  readonly sql: string
  readonly relations: readonly EvaluatedRelation[]
  /** Aborting stops the evaluation, which rejects with the signal's reason. */
  readonly signal: AbortSignal
  readonly timeoutMs?: number
  /** The setting that says so. */
  readonly timeoutSetting?: string
  /** Who asks. Where many wait for a place, each client gets a share of them; without it, the server itself asks. */
  readonly client?: string
}

/** The rows of a model query. Its columns have the names of `schema`, which are plain words. */
export interface EvaluatedRelation {
  readonly name: string
  readonly schema: ResultSchema
  readonly batches: AsyncIterable<RecordBatch>
}

/** The rows of an evaluated statement. */
export interface Evaluation {
  readonly schema: ResultSchema
  /** To be read once. Ending early frees what it holds. */
  readonly batches: AsyncIterable<RecordBatch>
}
