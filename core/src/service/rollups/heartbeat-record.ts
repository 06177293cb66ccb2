/** What this process knows of changes of tables: every heartbeat since it began to listen. */
import { ANY_TABLE, mayBeSame } from '../../cache/table-name.js'

export class HeartbeatRecord {
  readonly #last = new Map<string, number>()
  #since: number

  /** `now` in milliseconds since 1970. */
  constructor(private readonly now: () => number) {
    this.#since = now()
  }

  /** A table, by its folded name, was loaded. */
  note(table: string): void {
    this.#last.set(table, this.now())
  }

  /** Heartbeats may have been missed until now. */
  restart(): void {
    this.#since = this.now()
  }

  /** Whether no heartbeat for any of these tables came since a moment, and none can have been missed. */
  isQuietSince(tables: readonly string[], moment: number): boolean {
    if (moment <= this.#since) return false
    for (const [told, at] of this.#last) {
      if (at >= moment && tables.some((table) => table === ANY_TABLE || mayBeSame(table, told))) return false
    }
    return true
  }
}
