import type { Lifetime } from '../cache/freshness.js'
import type { ErrorCode, Finding } from '../errors.js'
import type { TimeLimit } from '../execute/within-time.js'
import type { FilterValue } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'
import type { RecordBatch, ResultColumn, ResultSchema } from '../result/record-batch.js'
import type { Value } from '../result/value-at.js'
import { clientKey } from '../session/client-key.js'
import type { CompiledQuery } from '../sql/compiled-query.js'
import type { ModelHandle, QueryTarget } from './held-models.js'

/** Who asks, as a surface knows it. */
export interface Asker {
  /** The client's name from the authenticator; never a key. */
  readonly principal: string
  readonly surface: string
  readonly requestId?: string | undefined
  /** Where it asks from. */
  readonly address?: string | undefined
}

/** A question that has ended. */
export interface QueryEvent {
  readonly verb: 'compile' | 'execute' | 'values'
  readonly asker: Asker | undefined
  readonly sessionId: string | undefined
  readonly modelId: string | undefined
  /** As it was asked. */
  readonly query: unknown
  readonly dialect?: string | undefined
  readonly rows?: number | undefined
  /** From the question to the last row. */
  readonly milliseconds: number
  readonly outcome: 'ok' | ErrorCode
}

/** Is called once for each question that has ended. */
export type QueryObserver = (event: QueryEvent) => void

/** A question of one model, and who asks it. */
export interface CompileRequest {
  readonly asker?: Asker | undefined
  readonly target: QueryTarget
  /** As a client sent it; `parseQuery` makes a `QueryObject` of it. */
  readonly query: unknown
  readonly dialect?: string | undefined
  /** `false` does not ask the database whether it accepts the statement. */
  readonly checked?: false | undefined
  /** Not the tuples of the query's dimensions, but one row for each row of this data object, in no order. */
  readonly rowsOf?: string | undefined
  /** Not the answer, but the rows behind one cell of it. */
  readonly cell?: CellQuestion | undefined
}

/** A cell of the answer to a query, and what is asked of it. */
export interface CellQuestion {
  /** Values of dimensions, by the names that the answer gives them. A cell of a subtotal names no value of what it sums over. */
  readonly cell: Readonly<Record<string, FilterValue>>
  /** `answer`: the row of the answer; else of the one measure: its rows, what they come to, or how many they are. */
  readonly shows: 'answer' | 'rows' | 'value' | 'count'
  readonly measures: readonly string[]
  readonly limit?: number | undefined
}

export interface RowsRequest {
  readonly asker?: Asker | undefined
  readonly target: QueryTarget
  readonly query: unknown
  readonly dialect?: string | undefined
  /** A measure, or a metric that is computed from measures. */
  readonly measure: string
  readonly cell: CellQuestion['cell']
  /** Of each fact; `QUERY_DEFAULT_LIMIT` without it. */
  readonly limit?: number | undefined
}

/** The rows that a number was computed from. */
export interface RowsBehind {
  readonly handle: ModelHandle
  readonly dialect: string
  /** The value in the cell, from the query. */
  readonly answered: CellValue
  /** One for each measure that the number is computed from. */
  readonly facts: readonly FactBehind[]
}

export interface FactBehind {
  readonly measure: string
  /** The data object whose rows these are. */
  readonly object: string
  readonly answered: CellValue
  /** The value of the measure over exactly these rows. */
  readonly aggregated: CellValue
  /** That both are one value. */
  readonly reconciled: boolean
  /** All of them, however many are shown. */
  readonly rowCount: number
  /** Reads the rows. */
  readonly rows: () => Promise<Execution>
}

export interface CellValue {
  readonly column: ResultColumn
  readonly value: Value
}

export interface ComposablesRequest {
  readonly target: QueryTarget
  /** Names of dimensions, measures, metrics and data objects; an object means the count of its rows. */
  readonly anchors?: readonly string[] | undefined
  /** A query that need not select anything yet. */
  readonly query?: unknown
  readonly dialect?: string | undefined
}

export interface ValuesRequest {
  readonly asker?: Asker | undefined
  readonly target: QueryTarget
  readonly dimension: string
  /** Text that a value contains, in any case. */
  readonly search?: string | undefined
  readonly limit: number
  /** Includes values that no row of the main fact has. */
  readonly all?: boolean | undefined
  readonly dialect?: string | undefined
}

/** A compiled question: its SQL, its warnings, and the model that it was compiled for. `sql_valid` is false where the database refuses the statement. */
export interface CompileResult extends CompiledQuery {
  readonly sql_valid: boolean
  readonly query: QueryObject
  readonly handle: ModelHandle
}

/** What may end the execution, and which limit binds its answer. */
export interface ExecuteOptions extends TimeLimit {
  /** Aborting cancels the statement in the database. */
  readonly signal?: AbortSignal
  /**
   * What binds a query without a limit of its own. `query` (the default): its answer is cut at `QUERY_DEFAULT_LIMIT` and says so. `sql`, for
   * wires whose clients add up what they read: an answer of more than `SQL_DEFAULT_LIMIT` rows is refused. `none`: every row is given.
   */
  readonly defaultLimit?: 'query' | 'sql' | 'none'
}

/** A running question: its columns are known, its rows arrive as batches. */
export interface Execution<C = CompileResult> {
  readonly compiled: C
  readonly schema: ResultSchema
  /** The batches can be read once. Ending early frees the connection. */
  readonly batches: AsyncIterable<RecordBatch>
  /** The question sets no limit, so that the default one may cut the answer; `settled` finds out. */
  readonly mayBeCut: boolean
  /** Complete once `batches` has ended. */
  outcome(): ExecutionOutcome
}

/** Facts about an answer that is cached, or comes from the cache. */
export interface CacheOutcome extends Lifetime {
  /** When it was read from the database, ISO 8601; `undefined` where it was just read. */
  readonly cachedAt: string | undefined
}

/** What is known once the last row was read. */
export interface ExecutionOutcome {
  readonly rowCount: number
  /** True when the default limit cut the answer. */
  readonly truncated: boolean
  readonly warnings: readonly Finding[]
  /** Milliseconds from the start of the statement. */
  readonly executionTimeMs: number
  readonly timezone: string
  /** Absent where the answer may not be kept. */
  readonly cache?: CacheOutcome
}

/** Who shares a budget: a key counts as one client, wherever it asks from; without keys an address does. */
export function clientOf(asker: Partial<Pick<Asker, 'principal' | 'address'>> | undefined): string {
  if (asker?.principal !== undefined && asker.principal !== 'anonymous') return `key ${asker.principal}`
  return `address ${clientKey(asker?.address ?? '')}`
}
