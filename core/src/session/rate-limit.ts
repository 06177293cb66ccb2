/** Limits the events per key in any window of time; keys without recent events are removed. */
export class RateLimit {
  readonly #taken = new Map<string, number[]>()

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
  ) {}

  /** Counts one event and returns 0, or, if it exceeds the limit, counts nothing and returns the milliseconds to wait. */
  take(key: string, now: number): number {
    const recent = this.#recent(key, now)
    if (recent.length >= this.limit) return Math.max(1, (recent[recent.length - this.limit] ?? now) + this.windowMs - now)
    this.#taken.set(key, [...recent, now])
    return 0
  }

  /** Removes the keys whose events have all left the window. */
  sweep(now: number): void {
    for (const key of this.#taken.keys()) {
      if (this.#recent(key, now).length === 0) this.#taken.delete(key)
    }
  }

  #recent(key: string, now: number): number[] {
    return (this.#taken.get(key) ?? []).filter((time) => now - time < this.windowMs)
  }
}
