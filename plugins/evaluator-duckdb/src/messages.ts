/** Messages between the server and the evaluator process: plain data, sent by structured clone. */
import type { ErrorCode, ErrorDetails } from '@grainline/core'
import { GrainlineError } from '@grainline/core'
import type { ColumnVector, ResultSchema } from '@grainline/core/vendor'

/** Columns of some rows. */
export interface Rows {
  readonly rowCount: number
  readonly columns: readonly ColumnVector[]
}

/** All requests of one evaluation have its number. The next one is sent after the answer to the last. */
export type Request = { readonly id: number } & Step
export type Step =
  /** The zone of the evaluation's instants. */
  | { readonly kind: 'zone'; readonly zone: string }
  /** Rows that follow are of this relation. */
  | { readonly kind: 'relation'; readonly name: string; readonly schema: ResultSchema }
  | ({ readonly kind: 'rows' } & Rows)
  | { readonly kind: 'run'; readonly sql: string }
  /** Stops the running step, which fails. */
  | { readonly kind: 'stop' }
  /** It gets no more requests. */
  | { readonly kind: 'end' }

export type Reply =
  | ({ readonly id: number } & Answer)
  /** The process has grown by more than the limit of evaluations. */
  | { readonly kind: 'grown' }
  /** It has grown, and no running evaluation could release memory. */
  | { readonly kind: 'worn' }
export type Answer =
  | { readonly kind: 'done' }
  | { readonly kind: 'schema'; readonly schema: ResultSchema }
  | ({ readonly kind: 'answer' } & Rows)
  | { readonly kind: 'failed'; readonly fault: Fault }

/** An error as plain data, because its class is lost between processes. */
export interface Fault {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Pick<ErrorDetails, 'path' | 'hint'>
}

export function faultOf(error: unknown): Fault {
  if (!(error instanceof GrainlineError)) return { code: 'INTERNAL_ERROR', message: String(error), details: {} }
  const { code, message, path, details } = error
  return { code, message, details: { path, ...(details.hint !== undefined && { hint: details.hint }) } }
}

export const errorOf = ({ code, message, details }: Fault): GrainlineError => new GrainlineError(code, message, details)
