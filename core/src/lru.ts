/** The size limits of an LRU cache. */
export interface LruLimits {
  readonly maxEntries: number
  readonly maxBytes: number
}

interface Entry<V> {
  readonly value: V
  readonly bytes: number
}

/** Values by key within a number of entries and of bytes; the least recently used entry is removed first. */
export class Lru<V> {
  readonly #entries = new Map<string, Entry<V>>()
  #newest: string | undefined
  #bytes = 0
  #evictions = 0

  /** `evicted` is called after the entry of a key was removed because of a limit. */
  constructor(
    private readonly limits: LruLimits,
    private readonly evicted: (key: string) => void = () => {},
  ) {}

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The number of entries that were removed because of a limit. */
  get evictions(): number {
    return this.#evictions
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (key !== this.#newest) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      this.#newest = key
    }
    return entry.value
  }

  /** Stores the value, unless it alone exceeds the limit. */
  set(key: string, value: V, bytes: number): void {
    this.delete(key)
    if (bytes > this.limits.maxBytes || this.limits.maxEntries === 0) return
    this.#entries.set(key, { value, bytes })
    this.#newest = key
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.limits.maxEntries && this.#bytes <= this.limits.maxBytes) return
      this.delete(oldest)
      this.#evictions += 1
      this.evicted(oldest)
    }
  }

  /** Counts other bytes for an entry that exists, and leaves its place in the order. */
  resize(key: string, bytes: number): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#bytes += bytes - entry.bytes
    this.#entries.set(key, { value: entry.value, bytes })
  }

  delete(key: string): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined) return false
    this.#bytes -= entry.bytes
    return this.#entries.delete(key)
  }

  /** From the least to the most recently used. */
  *entries(): Generator<readonly [key: string, value: V, bytes: number]> {
    for (const [key, { value, bytes }] of this.#entries) yield [key, value, bytes]
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }
}
