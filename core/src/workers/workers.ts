/** Messages between the workers of one server. A process that serves alone has no others. */
import type { Seating, SeatsOptions } from './seats.js'

/** A kind of request between workers, by its name. Requests and answers are passed as structured clones. */
export interface Topic<Question, Answer> {
  readonly name: string
  /** Only for the compiler. */
  readonly types?: (question: Question) => Answer
}

/** Names a kind of request. Both sides use the same value, so that they agree on its types. */
export const topic = <Question, Answer>(name: string): Topic<Question, Answer> => ({ name })

/** The other workers of this server, and what all of them share. */
export interface Workers {
  /** The number of this worker. The replacement of an ended worker gets a new number. */
  readonly number: number
  /** The number of workers. */
  readonly count: number
  /** Each run of the server creates a new one. It is the same in all workers. */
  readonly secret: Uint8Array
  /** Sends a request to one worker. Rejects with its error, or with `WorkerGone`. */
  ask<Q, A>(worker: number, topic: Topic<Q, A>, question: Q): Promise<A>
  /** Sends a request to all others. A worker that has ended, is closing, or ends meanwhile does not answer. */
  askOthers<Q, A>(topic: Topic<Q, A>, question: Q): Promise<readonly A[]>
  /** Registers the handler of this worker for requests of others. */
  answer<Q, A>(topic: Topic<Q, A>, run: (question: Q) => A | Promise<A>): void
  /** Seats that are counted for all workers together; `house` is their name. */
  seats(house: string, options: SeatsOptions): Seating
  /** Whether this client may open one more session. It counts until `sessionEnded`. A second attempt has no `client`: its rate is already counted. */
  admitSession(client: string | undefined): Promise<Admission>
  sessionEnded(): void
}

/** The decision about a new session. */
export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'too-fast'; readonly waitMs: number }
  | { readonly kind: 'full'; readonly held: number }

/** The requested worker does not exist. */
export class WorkerGone extends Error {
  override readonly name = 'WorkerGone'

  constructor(
    readonly worker: number,
    /** False for a number that no worker has ever had. */
    readonly served: boolean,
  ) {
    super(`Worker ${worker} ${served ? 'has ended' : 'has never been there'}`)
  }
}
