/** What the workers of one server say to each other. A process that serves alone has no others. */
import type { Seating, SeatsOptions } from './seats.js'

/** A kind of question between workers, by its name. Questions and answers travel as structured clones. */
export interface Topic<Question, Answer> {
  readonly name: string
  /** For the compiler alone. */
  readonly types?: (question: Question) => Answer
}

/** Names a kind of question. Both sides use one value, so that they agree on its types. */
export const topic = <Question, Answer>(name: string): Topic<Question, Answer> => ({ name })

/** The other workers of this server, and what all of them share. */
export interface Workers {
  /** This worker's own. One that takes the place of a worker that has ended gets a new number. */
  readonly number: number
  /** How many serve together. */
  readonly count: number
  /** Each run of the server makes a new one. It is the same in all workers. */
  readonly secret: Uint8Array
  /** Asks one worker. Rejects with its refusal, or with `WorkerGone`. */
  ask<Q, A>(worker: number, topic: Topic<Q, A>, question: Q): Promise<A>
  /** Asks all others. A worker that has ended, is closing, or ends meanwhile gives no answer. */
  askOthers<Q, A>(topic: Topic<Q, A>, question: Q): Promise<readonly A[]>
  /** What this worker answers to the others. */
  answer<Q, A>(topic: Topic<Q, A>, run: (question: Q) => A | Promise<A>): void
  /** Seats that are counted for all workers together; `house` names what they are seats of. */
  seats(house: string, options: SeatsOptions): Seating
  /** Whether one more session may be opened by this client. It counts until `sessionEnded`. A client that asks again is left out. */
  admitSession(client: string | undefined): Promise<Admission>
  sessionEnded(): void
}

/** What becomes of a wish to open a session. */
export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'too-fast'; readonly waitMs: number }
  | { readonly kind: 'full'; readonly held: number }

/** The worker that was asked is not there. */
export class WorkerGone extends Error {
  override readonly name = 'WorkerGone'

  constructor(
    readonly worker: number,
    /** False for a number that no worker has had. */
    readonly served: boolean,
  ) {
    super(`Worker ${worker} ${served ? 'has ended' : 'has never been there'}`)
  }
}
