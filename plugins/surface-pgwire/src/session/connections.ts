import { randomBytes, timingSafeEqual } from 'node:crypto'
import { topic, type Workers } from '@grainline/core/surface'
import type { Session } from './session.js'

/** The key for cancellation, which BackendKeyData sends to the client. */
export interface CancelKey {
  readonly processId: number
  readonly secret: Buffer
}

const CANCEL = topic<{ readonly processId: number; readonly secret: Uint8Array }, void>('pgwire.cancel')

/** A process id is positive and has 31 bits: 12 for the worker, and these for the connection. */
const BITS = 19

/** The open connections, by process id. */
export class Connections {
  readonly #sessions = new Map<number, { readonly session: Session; readonly secret: Buffer }>()
  readonly #most: number
  #last = 0

  constructor(private readonly workers?: Workers) {
    this.#most = workers === undefined ? 0x7fffffff : 2 ** BITS - 1
    workers?.answer(CANCEL, ({ processId, secret }) => this.#cancelHere(processId, Buffer.from(secret)))
  }

  /** Protocol 3.2 allows a longer secret. */
  newKey(minor: number): CancelKey {
    do this.#last = (this.#last % this.#most) + 1
    while (this.#sessions.has(this.#named(this.#last)))
    return { processId: this.#named(this.#last), secret: randomBytes(minor >= 2 ? 32 : 4) }
  }

  add({ processId, secret }: CancelKey, session: Session): void {
    this.#sessions.set(processId, { session, secret })
  }

  remove({ processId }: CancelKey): void {
    this.#sessions.delete(processId)
  }

  /** Cancels the statement of a connection, maybe of another worker, if the secret is right. The client gets no answer in either case. */
  async cancel(processId: number, secret: Buffer): Promise<void> {
    const owner = processId >>> BITS
    if (this.workers === undefined || owner === this.workers.number) this.#cancelHere(processId, secret)
    else await this.workers.ask(owner, CANCEL, { processId, secret }).catch(() => undefined)
  }

  #cancelHere(processId: number, secret: Buffer): void {
    const found = this.#sessions.get(processId)
    if (found?.secret.length === secret.length && timingSafeEqual(found.secret, secret)) found.session.cancel()
  }

  #named(connection: number): number {
    return this.workers === undefined ? connection : this.workers.number * 2 ** BITS + connection
  }
}
