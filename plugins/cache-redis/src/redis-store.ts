import type { CacheStore, Logger } from '@grainline/core'

/** Keys per command of a deletion or an iteration. */
const MANY = 500

export interface RedisStoreOptions {
  readonly url: string
  readonly prefix: string
  readonly logger: Logger
}

/** A store on a Redis or Valkey server, which removes expired entries itself. Rejects if the server cannot be reached. */
export async function redisStore({ url, prefix, logger }: RedisStoreOptions): Promise<CacheStore> {
  const { createClient, RESP_TYPES } = await import('@redis/client')
  const client = createClient({
    url,
    // A command that cannot run now must not run later: the database answers instead.
    disableOfflineQueue: true,
    socket: { connectTimeout: 1000, reconnectStrategy: (attempts) => Math.min(50 * 2 ** attempts, 2000) },
  })
  client.on('error', (error: Error) => logger.debug({ err: error }, 'Redis'))
  await connect(client)
  const binary = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })

  async function* keys(): AsyncGenerator<string[]> {
    const pattern = `${prefix.replaceAll(/[*?[\]\\]/g, '\\$&')}*`
    for await (const found of client.scanIterator({ MATCH: pattern, COUNT: MANY })) yield found
  }

  return {
    async get(key) {
      const value: unknown = await binary.get(prefix + key)
      return value instanceof Uint8Array ? value : undefined
    },
    async set(key, value, ttlSeconds) {
      const expiration = { type: 'PX', value: Math.max(1, Math.round(ttlSeconds * 1000)) } as const
      await client.set(prefix + key, Buffer.from(value.buffer, value.byteOffset, value.byteLength), { expiration })
    },
    async deleteMany(given) {
      let deleted = 0
      for (let i = 0; i < given.length; i += MANY) {
        deleted += await client.unlink(given.slice(i, i + MANY).map((key) => prefix + key))
      }
      return deleted
    },
    async *entries() {
      const seen = new Set<string>()
      for await (const found of keys()) {
        const fresh = found.filter((key) => !seen.has(key))
        const described = await Promise.all(fresh.map((key) => Promise.all([client.strLen(key), client.pTTL(key)])))
        for (const [index, key] of fresh.entries()) {
          seen.add(key)
          const [bytes, left] = described[index]!
          if (left > 0) yield { key: key.slice(prefix.length), bytes, expiresAt: Date.now() + left }
        }
      }
    },
    sweep: async () => ({ expired: 0, evicted: 0 }),
    async close() {
      client.destroy()
    },
  }
}

/** Connects, or drops the client, which would otherwise keep trying while the caller makes a new one. */
async function connect(client: {
  connect(): Promise<unknown>
  destroy(): void
  once(event: 'error', run: (error: Error) => void): unknown
}) {
  const failed = new Promise<never>((_, reject) => client.once('error', reject))
  try {
    await Promise.race([client.connect(), failed])
  } catch (error) {
    client.destroy()
    throw error
  }
}
