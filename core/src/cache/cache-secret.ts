import { createHash, randomBytes } from 'node:crypto'
import { GrainlineError } from '../errors.js'
import { messageOf } from '../invariant.js'
import type { CacheBackend } from './cache-store.js'

/**
 * The secret that signs cached answers: `CACHE_KEY`, or else the secret that the backend keeps beside them, or else one of this process. It
 * is read on first use, and again after a failure.
 */
export function cacheSecret(given: string | undefined, backend: CacheBackend): () => Promise<Uint8Array> {
  if (given !== undefined) {
    const secret = createHash('sha256').update(given).digest()
    return async () => secret
  }
  const make = backend.secret ?? (async () => randomBytes(32))
  let known: Promise<Uint8Array> | undefined
  return () => {
    known ??= make().catch((cause: unknown) => {
      known = undefined
      throw new GrainlineError('CACHE_UNAVAILABLE', `The key of the cache cannot be had: ${messageOf(cause)}`, { cause })
    })
    return known
  }
}
