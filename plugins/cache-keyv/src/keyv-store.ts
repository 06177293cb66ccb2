import { createHash, randomUUID } from 'node:crypto'
import type { CacheEntry, CacheStore, Logger, Swept } from '@grainline/core'
import type { KeyvStoreAdapter } from 'keyv'
import { canList } from './adapter.js'
import { opened, sealed } from './envelope.js'

export interface KeyvStoreOptions {
  readonly adapter: KeyvStoreAdapter
  /** The namespace of Keyv, for stores that several programs use. */
  readonly namespace?: string | undefined
  /** A sweep removes the oldest answers beyond this size; by default the store may grow. */
  readonly maxBytes?: number | undefined
  readonly logger: Logger
}

/** Keys per round of a deletion. */
const MANY = 100

/**
 * A cache in a store of Keyv. A store that cannot list its entries gets keys of this process only, which remembers them: answers of an earlier
 * process are then never found, because nothing could delete them.
 */
export async function keyvStore({ adapter, namespace, maxBytes, logger }: KeyvStoreOptions): Promise<CacheStore> {
  const { Keyv } = await import('keyv')
  const keyv = new Keyv({ store: adapter, useKeyPrefix: false, throwOnErrors: true })
  keyv.namespace = namespace
  keyv.on('error', (error: unknown) => logger.debug({ err: error }, 'Keyv'))
  const listed = canList(adapter) ? undefined : new Map<string, CacheEntry>()
  const prefix = listed ? `grainline-${randomUUID()}:` : 'grainline:'
  // Stores limit the length and the characters of keys.
  const nameOf = (key: string): string => prefix + createHash('sha256').update(key).digest('base64url')

  async function* stored(): AsyncGenerator<CacheEntry> {
    if (!canList(adapter)) return
    for await (const [name, raw] of adapter.iterator(namespace)) {
      if (typeof name !== 'string' || !name.includes(prefix) || raw === undefined || raw === null) continue
      const found = opened((await keyv.deserializeData(raw))?.value)
      if (found) yield entryOf(found)
    }
  }

  async function* entries(): AsyncGenerator<CacheEntry> {
    const now = Date.now()
    const seen = new Set<string>()
    for await (const entry of listed ? listed.values() : stored()) {
      if (entry.expiresAt <= now || seen.has(entry.key)) continue
      seen.add(entry.key)
      yield entry
    }
  }

  const remove = async (key: string): Promise<boolean> => {
    const wasListed = listed?.delete(key)
    const existed = await keyv.delete(nameOf(key))
    return wasListed ?? existed
  }

  async function deleteMany(keys: readonly string[]): Promise<number> {
    let deleted = 0
    for (let at = 0; at < keys.length; at += MANY)
      deleted += (await Promise.all(keys.slice(at, at + MANY).map(remove))).filter(Boolean).length
    return deleted
  }

  return {
    async get(key) {
      const found = opened(await keyv.get(nameOf(key)))
      return found && found.key === key && found.expiresAt > Date.now() ? found.value : undefined
    },
    async set(key, value, ttlSeconds) {
      const storedAt = Date.now()
      const envelope = { key, storedAt, expiresAt: storedAt + ttlSeconds * 1000, value }
      await keyv.set(nameOf(key), sealed(envelope), Math.max(1, Math.round(ttlSeconds * 1000)))
      listed?.set(key, entryOf(envelope))
    },
    deleteMany,
    entries,
    sweep: () => swept({ entries, deleteMany, listed, maxBytes }),
    close: () => keyv.disconnect(),
  }
}

const entryOf = ({ value, ...rest }: Parameters<typeof sealed>[0]): CacheEntry => ({ ...rest, bytes: value.byteLength })

interface Sweeping extends Pick<CacheStore, 'entries' | 'deleteMany'> {
  readonly listed: Map<string, CacheEntry> | undefined
  readonly maxBytes: number | undefined
}

/** Stores remove expired entries themselves, at the latest when they are read. */
async function swept({ entries, deleteMany, listed, maxBytes }: Sweeping): Promise<Swept> {
  const now = Date.now()
  const expired = [...(listed?.values() ?? [])].filter(({ expiresAt }) => expiresAt <= now).map(({ key }) => key)
  await deleteMany(expired)
  if (maxBytes === undefined) return { expired: expired.length, evicted: 0 }
  const present: CacheEntry[] = []
  for await (const entry of entries()) present.push(entry)
  let left = present.reduce((sum, { bytes }) => sum + bytes, 0)
  const oldest = present.sort((a, b) => (a.storedAt ?? 0) - (b.storedAt ?? 0))
  const evicted: string[] = []
  for (const { key, bytes } of oldest) {
    if (left <= maxBytes) break
    left -= bytes
    evicted.push(key)
  }
  return { expired: expired.length, evicted: await deleteMany(evicted) }
}
