/** Many questions of one model in one request. */
import type { Finding } from '../errors.js'
import type { Asker, CompileResult, Execution } from './asking.js'
import type { QueryTarget } from './held-models.js'

export interface BatchService {
  /**
   * Resolves when every question has its result, also at the deadline of the batch: the rest is `cancelled`. `read` takes an answer in,
   * within the time of its question. Rejects for what is wrong with the batch itself.
   */
  batch<T>(request: BatchRequest, read: (execution: Execution) => Promise<T>, signal?: AbortSignal): Promise<BatchAnswer<T>>
}

export interface BatchRequest {
  readonly asker?: Asker | undefined
  /** Address of who asks: a batch that opens a session counts like any other who does. */
  readonly client: string
  /** Where the model is, or is to be loaded. */
  readonly target: QueryTarget
  /** A model that comes with the batch. */
  readonly modelYaml?: string | undefined
  /** The model stays when the batch has ended. */
  readonly persistModel: boolean
  readonly queries: readonly BatchQuery[]
  /** Of questions that name none. */
  readonly dialect?: string | undefined
  /** Of questions that do not say. */
  readonly execute: boolean
  readonly maxParallelism?: number | undefined
  /** After the first failure the rest is cancelled. */
  readonly failFast: boolean
  /** Questions that are alike are asked once; a model that the session holds already is not loaded again. */
  readonly dedup: boolean
}

export interface BatchQuery {
  readonly id?: string | undefined
  readonly query: unknown
  readonly execute?: boolean | undefined
  readonly dialect?: string | undefined
}

export interface BatchAnswer<T> {
  /** `undefined` where nothing of the batch stays. */
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
