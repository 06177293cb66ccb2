/** As long as this, a client counts as one that may come back. */
const LATELY_MS = 5 * 60_000

interface Asking {
  readonly client: string
  readonly at: number
}

/** Whether a client is alone. A place is kept free for others only while it is not. */
export class LatelyAsked {
  #last: Asking | undefined
  /** The last one of another client than `#last`. */
  #other: Asking | undefined

  constructor(private readonly now: () => number = () => performance.now()) {}

  ask(client: string): void {
    if (this.#last !== undefined && this.#last.client !== client) this.#other = this.#last
    this.#last = { client, at: this.now() }
  }

  /** Whether no other client has asked lately. */
  isAlone(client: string): boolean {
    const other = this.#last?.client === client ? this.#other : this.#last
    return other === undefined || this.now() - other.at > LATELY_MS
  }
}
