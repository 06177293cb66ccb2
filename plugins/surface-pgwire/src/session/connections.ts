import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Session } from './session.js'

/** What a client must know to cancel, and what BackendKeyData tells it. */
export interface CancelKey {
  readonly processId: number
  readonly secret: Buffer
}

/** The connections that are served, by their numbers. */
export class Connections {
  readonly #sessions = new Map<number, { readonly session: Session; readonly secret: Buffer }>()
  #last = 0

  /** Protocol 3.2 has room for a longer secret. */
  newKey(minor: number): CancelKey {
    this.#last = (this.#last % 0x7fffffff) + 1
    while (this.#sessions.has(this.#last)) this.#last = (this.#last % 0x7fffffff) + 1
    return { processId: this.#last, secret: randomBytes(minor >= 2 ? 32 : 4) }
  }

  add({ processId, secret }: CancelKey, session: Session): void {
    this.#sessions.set(processId, { session, secret })
  }

  remove({ processId }: CancelKey): void {
    this.#sessions.delete(processId)
  }

  /** Stops what a connection does, if the secret is right; says nothing either way. */
  cancel(processId: number, secret: Buffer): void {
    const found = this.#sessions.get(processId)
    if (found?.secret.length === secret.length && timingSafeEqual(found.secret, secret)) found.session.cancel()
  }
}
