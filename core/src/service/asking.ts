import type { Lifetime } from '../cache/freshness.js'
import type { ErrorCode, Finding } from '../errors.js'
import type { TimeLimit } from '../execute/within-time.js'
import type { FilterValue, Rollup } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'
import type { ShownTypes } from '../resolve/resolved-query.js'
import type { RecordBatch, ResultColumn, ResultSchema } from '../result/record-batch.js'
import type { Value } from '../result/value-at.js'
import { clientKey } from '../session/client-key.js'
import type { CompiledQuery } from '../sql/compiled-query.js'
import type { Asker } from './asker.js'
import type { ModelHandle, QueryTarget } from './held-models.js'

/** A query that has ended. */
export interface QueryEvent {
  readonly verb: 'compile' | 'execute' | 'values'
  readonly asker: Asker | undefined
  readonly sessionId: string | undefined
  readonly modelId: string | undefined
  /** The query as it was sent. */
  readonly query: unknown
  readonly dialect?: string | undefined
  readonly rows?: number | undefined
  /** From the request to the last row. */
  readonly milliseconds: number
  readonly outcome: 'ok' | ErrorCode
  /** For a question that may read rollup tables: `read`, `partly`, or the first reason why it reads none. */
  readonly rollups?: string | undefined
}

/** Called once for each query that has ended. */
export type QueryObserver = (event: QueryEvent) => void

/** A query of one model, and its client. */
export interface CompileRequest {
  readonly asker: Asker | undefined
  readonly target: QueryTarget
  /** As a client sent it; `parseQuery` parses it to a `QueryObject`. */
  readonly query: unknown
  readonly dialect?: string | undefined
  /** `false`: the database does not check the statement. */
  readonly checked?: false | undefined
  /** Instead of the tuples of the query's dimensions, one row for each row of this data object, in any order. */
  readonly everyRowOf?: string | undefined
  /** Dimensions that the answer shows as times of another type than their periods have, by name. */
  readonly shownAs?: ShownTypes | undefined
  /** Instead of the answer, the rows behind one cell of it. */
  readonly cell?: CellQuestion | undefined
}

/** For those who work on the compiler. */
export interface StagesRequest extends CompileRequest {
  /** The names of rules for speed that are left out. */
  readonly without?: readonly string[] | undefined
}

/** A rollup table of a model. */
export interface RollupRequest extends Pick<CompileRequest, 'asker' | 'target' | 'dialect'> {
  /** Its name. */
  readonly rollup: string
}

/** The statement whose rows a rollup table holds. */
export interface RollupStatement {
  readonly rollup: string
  readonly table: Rollup['table']
  readonly dialect: string
  /** A hash of what the table holds: it changes with the statement, and not with names of the model, descriptions and formats. */
  readonly definition: string
  /** The names of its columns. */
  readonly columns: readonly string[]
  readonly sql: string
}

/** A cell of the answer to a query, and the requested view of it. */
export interface CellQuestion {
  /** Values of dimensions, by their names in the answer. For a subtotal, the dimensions that it aggregates are absent. */
  readonly cell: Readonly<Record<string, FilterValue>>
  /** `answer`: the row of the answer; otherwise for the one measure: its rows, their total, or their number. */
  readonly shows: 'answer' | 'rows' | 'value' | 'count'
  readonly measures: readonly string[]
  readonly limit?: number | undefined
  /** The columns that rows show; see `RowsRequest`. */
  readonly columns?: readonly string[] | undefined
}

export interface RowsRequest {
  readonly asker: Asker | undefined
  readonly target: QueryTarget
  readonly query: unknown
  readonly dialect?: string | undefined
  /** A measure, or a metric that is computed from measures. */
  readonly measure: string
  readonly cell: CellQuestion['cell']
  /** The columns of each row, as `Object.Column`: of the object whose rows these are, and of those that it joins. By default the groups and all columns of the object. */
  readonly columns?: readonly string[] | undefined
  /** The maximum number of rows per fact; by default `QUERY_DEFAULT_LIMIT`. */
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
  /** The data object of these rows. */
  readonly object: string
  readonly answered: CellValue
  /** The value of the measure over exactly these rows. */
  readonly aggregated: CellValue
  /** Whether both values are equal. */
  readonly reconciled: boolean
  /** The number of all rows, however many are returned. */
  readonly rowCount: number
  /** All columns that these rows can show, as `Object.Column`. */
  readonly offered: readonly string[]
  /** Reads the rows. */
  readonly rows: () => Promise<Execution>
}

export interface CellValue {
  readonly column: ResultColumn
  readonly value: Value
}

export interface ComposablesRequest {
  readonly asker: Asker | undefined
  readonly target: QueryTarget
  /** Names of dimensions, measures, metrics and data objects; an object means the count of its rows. */
  readonly anchors?: readonly string[] | undefined
  /** A partial query, which may select nothing yet. */
  readonly query?: unknown
  readonly dialect?: string | undefined
}

export interface ValuesRequest {
  readonly asker: Asker | undefined
  readonly target: QueryTarget
  readonly dimension: string
  /** Text that a value contains, in any case. */
  readonly search?: string | undefined
  readonly limit: number
  /** Include values that no row of the main fact has. */
  readonly all?: boolean | undefined
  readonly dialect?: string | undefined
}

/**
 * A compiled query: its SQL, its warnings, and the model for which it was compiled. `sql_valid` is false if the database refuses the
 * statement.
 */
export interface CompileResult extends CompiledQuery {
  /** Access rules bind the principal: `sql` is empty, there are no tables, and `explain` throws `SQL_WITHHELD`. */
  readonly withheld: boolean
  readonly sql_valid: boolean
  readonly query: QueryObject
  readonly handle: ModelHandle
}

/** What may end the execution early, and which limit applies to its answer. */
export interface ExecuteOptions extends TimeLimit {
  /** Aborting cancels the statement in the database. */
  readonly signal?: AbortSignal
  /**
   * The limit for a query without its own. `query` (the default): its answer is truncated at `QUERY_DEFAULT_LIMIT` and says so. `sql`, for
   * wires whose clients may sum what they read: an answer of more than `SQL_DEFAULT_LIMIT` rows is refused. `none`: every row is returned.
   */
  readonly defaultLimit?: 'query' | 'sql' | 'none'
}

/** A running query: its columns are known, its rows arrive as batches. */
export interface Execution<C = CompileResult> {
  readonly compiled: C
  readonly schema: ResultSchema
  /** The batches can be read once. Ending early frees the connection. */
  readonly batches: AsyncIterable<RecordBatch>
  /** The query sets no limit, so the default one may truncate the answer; `settled` has the result. */
  readonly mayBeCut: boolean
  /** Complete when `batches` has ended. */
  outcome(): ExecutionOutcome
}

/** Data about a cached answer. */
export interface CacheOutcome extends Lifetime {
  /** When it was read from the database, ISO 8601; `undefined` if it was just read. */
  readonly cachedAt: string | undefined
}

/** Data that are known after the last row. */
export interface ExecutionOutcome {
  readonly rowCount: number
  /** True if the default limit truncated the answer. */
  readonly truncated: boolean
  readonly warnings: readonly Finding[]
  /** Milliseconds from the start of the statement. */
  readonly executionTimeMs: number
  readonly timezone: string
  /** Absent if the answer must not be cached. */
  readonly cache?: CacheOutcome
}

/** The client for budgets: a key counts as one client at any address; without keys an address is a client. */
export function clientOf(asker: Partial<Pick<Asker, 'principal' | 'address'>> | undefined): string {
  if (asker?.principal !== undefined && asker.principal.id !== 'anonymous') return `key ${asker.principal.id}`
  return `address ${clientKey(asker?.address ?? '')}`
}
