import type { Logger } from '../logger.js'
import type { Named } from '../point.js'

/** A store for answers. It need not understand them: its results are checked before they are used. */
export interface CacheBackend extends Named {
  /** Its maximum size; absent if the store does not decide that. */
  readonly maxBytes?: number
  /** True if every process has a separate store. */
  readonly apart?: boolean
  /** True if users other than that of this process may write, so that `CACHE_KEY` must be set. */
  readonly shared?: boolean
  /** A secret that outlives the process, created on first use; absent if the answers do not outlive it either. */
  readonly secret?: () => Promise<Uint8Array>
  readonly open: (context: { readonly logger: Logger }) => Promise<CacheStore>
}

/** A byte store with TTL, size, iteration and delete-many. Every call may reject; an answer is then computed again. */
export interface CacheStore {
  /** The stored value, or `undefined`; never an expired one. A store in memory may return it synchronously. */
  get(key: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
  set(key: string, value: Uint8Array, ttlSeconds: number): Promise<void>
  /**
   * Counts so many bytes as part of the size of a value of a store in memory, for data that is kept in memory together with it; they replace
   * those of the call before. False if there is no room or the key has another value meanwhile. The store calls `drop` if it needs their room
   * for something else, before it removes a value. Absent if `get` reads the value again each time.
   */
  keepBeside?(key: string, value: Uint8Array, bytes: number, drop: () => void): boolean
  /** The number of existing keys that were deleted. */
  deleteMany(keys: readonly string[]): Promise<number>
  entries(): AsyncIterable<CacheEntry>
  /** Removes expired entries, and entries beyond the maximum size. */
  sweep(): Promise<Swept>
  close(): Promise<void>
}

/** One stored answer, without its bytes. */
export interface CacheEntry {
  readonly key: string
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly storedAt?: number
}

/** How many entries a sweep removed: expired ones, and those beyond the size of the store. */
export interface Swept {
  readonly expired: number
  readonly evicted: number
}
