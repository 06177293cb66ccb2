/** Messages between the first process and its workers. All are passed as structured clones. */
import { type ErrorCode, type ErrorDetails, GrainlineError } from '../../errors.js'
import type { NoSeat } from '../../workers/seats.js'
import { type Admission, topic, WorkerGone } from '../../workers/workers.js'
import type { MoveSeat, TakeSeat } from './front-desk.js'

/** The target of a request of a worker: one worker, all others, or the first process. */
export type Asked = number | 'others' | 'first'

export type FromWorker =
  /** The worker runs, and waits for its number. */
  | { readonly kind: 'hello' }
  /** It listens. */
  | { readonly kind: 'ready'; readonly address: string | undefined }
  | { readonly kind: 'ask'; readonly id: number; readonly to: Asked; readonly topic: string; readonly question: unknown }
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Reply }

export type ToWorker =
  | { readonly kind: 'welcome'; readonly number: number; readonly count: number; readonly secret: Uint8Array }
  | { readonly kind: 'question'; readonly id: number; readonly topic: string; readonly question: unknown }
  /** One reply of each target. */
  | { readonly kind: 'replies'; readonly id: number; readonly replies: readonly Reply[] }
  | { readonly kind: 'reload' }
  | { readonly kind: 'close' }

export type Reply =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails }
  | { readonly kind: 'failure'; readonly message: string }
  | { readonly kind: 'gone'; readonly worker: number; readonly served: boolean }

/** The result of a question, as a reply. Never rejects. */
export async function replyOf(work: () => unknown): Promise<Reply> {
  try {
    return { kind: 'answer', answer: await work() }
  } catch (error) {
    if (!(error instanceof GrainlineError)) return { kind: 'failure', message: String(error) }
    // A cause may be any value, also one that cannot be cloned. It is logged in the process of the error.
    const { cause: _, ...details } = error.details
    return { kind: 'refusal', code: error.code, message: error.message, details }
  }
}

/** The result in a reply. Throws the error where the question failed. */
export function answerOf(reply: Reply): unknown {
  switch (reply.kind) {
    case 'answer':
      return reply.answer
    case 'refusal':
      throw new GrainlineError(reply.code, reply.message, reply.details)
    case 'gone':
      throw new WorkerGone(reply.worker, reply.served)
    case 'failure':
      throw new Error(reply.message)
  }
}

/** The questions of workers to the first process. */
export const TAKE_SEAT = topic<TakeSeat, number | NoSeat>('seats.take')
export const MOVE_SEAT = topic<MoveSeat, boolean>('seats.move')
export const LEAVE_SEAT = topic<number, void>('seats.leave')
export const ADMIT_SESSION = topic<string | undefined, Admission>('sessions.admit')
export const END_SESSION = topic<null, void>('sessions.end')
