/** Many queries of one model in one request. */
import type { Finding } from '../errors.js'
import type { Asker } from './asker.js'
import type { CompileResult, Execution } from './asking.js'
import type { QueryTarget } from './held-models.js'

export interface BatchService {
  /**
   * Resolves when every query has its result, also at the deadline of the batch: the rest is `cancelled`. `read` consumes an answer, within
   * the time of its query. Rejects for an error of the batch itself.
   */
  batch<T>(request: BatchRequest, read: (execution: Execution) => Promise<T>, signal?: AbortSignal): Promise<BatchAnswer<T>>
}

export interface BatchRequest {
  readonly asker: Asker | undefined
  /** Address of the client: a batch that opens a session counts like any other client that does. */
  readonly client: string
  /** The session of the model. */
  readonly target: QueryTarget
  /** A model that is sent with the batch. */
  readonly modelYaml?: string | undefined
  /** The model remains after the batch has ended. */
  readonly persistModel: boolean
  readonly queries: readonly BatchQuery[]
  /** The dialect of queries that name none. */
  readonly dialect?: string | undefined
  /** The default for queries. */
  readonly execute: boolean
  readonly maxParallelism?: number | undefined
  /** After the first error the remaining queries are cancelled. */
  readonly failFast: boolean
  /** Equal queries run once; a model that the session contains already is not loaded again. */
  readonly dedup: boolean
}

export interface BatchQuery {
  readonly id?: string | undefined
  readonly query: unknown
  readonly execute?: boolean | undefined
  readonly dialect?: string | undefined
}

export interface BatchAnswer<T> {
  /** `undefined` if nothing of the batch remains. */
  readonly sessionId: string | undefined
  readonly modelId: string | undefined
  readonly modelPersisted: boolean
  readonly modelLoad: 'fresh' | 'reused' | 'referenced'
  /** In the order of the questions. */
  readonly results: readonly BatchResult<T>[]
  readonly warnings: readonly Finding[]
}

export type BatchResult<T> = { readonly id: string } & BatchOutcome<T>

export type BatchOutcome<T> =
  | { readonly status: 'ok'; readonly executed: true; readonly answer: T }
  | { readonly status: 'ok'; readonly executed: false; readonly compiled: CompileResult }
  | { readonly status: 'error' | 'cancelled'; readonly executed: boolean; readonly error: Finding }
