import type { Logger } from '../logger.js'
import type { Named } from '../point.js'

/** A place for answers. It need know nothing of them: what it gives back is checked before it is used. */
export interface CacheBackend extends Named {
  /** The most that it holds; absent where the store does not decide that. */
  readonly maxBytes?: number
  /** True where every process has a store of its own. */
  readonly apart?: boolean
  /** True where others than this machine's user may write, so that `CACHE_KEY` must be set. */
  readonly shared?: boolean
  /** A secret that outlives the process, made on first use; absent where answers do not outlive it either. */
  readonly secret?: () => Promise<Uint8Array>
  readonly open: (context: { readonly logger: Logger }) => Promise<CacheStore>
}

/** A byte store with TTL, size, iteration and delete-many. Everything may reject; an answer is then computed again. */
export interface CacheStore {
  /** The value as it was set, or `undefined`; never one whose time is over. A store in memory may give it at once. */
  get(key: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
  set(key: string, value: Uint8Array, ttlSeconds: number): Promise<void>
  /**
   * Counts so many bytes more for a value of a store in memory, because of what is kept in memory beside it. False where there is no room or
   * the key has another value by now. Absent if `get` reads the value again each time.
   */
  keepBeside?(key: string, value: Uint8Array, bytes: number): boolean
  /** How many of them were there. */
  deleteMany(keys: readonly string[]): Promise<number>
  entries(): AsyncIterable<CacheEntry>
  /** Removes what is over, and what is more than the store may hold. */
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
