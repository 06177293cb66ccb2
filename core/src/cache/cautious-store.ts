import { GrainlineError } from '../errors.js'
import { messageOf } from '../invariant.js'
import type { Logger } from '../logger.js'
import type { CacheStore } from './cache-store.js'

/** Longest wait for a store, in milliseconds: an answer from the database is better than none from the store. */
const DEADLINE_MS = 2000
/** The wait is counted in so many steps. A step that comes late counts once: a process that did not run, or was busy, blames no store. */
const STEPS = 20
/** After a failure the store is not used for this long. */
const REST_MS = 2000

/**
 * A store that is opened on first use, and tried again after a failure. Every call rejects with `CACHE_UNAVAILABLE` instead of waiting for
 * a store that does not answer.
 */
export function cautiousStore(
  open: () => Promise<CacheStore>,
  {
    logger,
    now = () => Date.now(),
    deadlineMs = DEADLINE_MS,
  }: { readonly logger: Logger; readonly now?: () => number; readonly deadlineMs?: number },
): CacheStore {
  let opening: Promise<CacheStore> | undefined
  let store: CacheStore | undefined
  let restsUntil = 0

  async function begin(): Promise<CacheStore> {
    try {
      store = await open()
      const { keepBeside } = store
      if (keepBeside !== undefined) careful.keepBeside = keepBeside.bind(store)
      return store
    } catch (error) {
      opening = undefined
      throw error
    }
  }

  function opened(): Promise<CacheStore> {
    opening ??= begin()
    return opening
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    if (now() < restsUntil)
      throw new GrainlineError('CACHE_UNAVAILABLE', 'The cache failed a moment ago and is not used for two seconds')
    try {
      return await work()
    } catch (cause) {
      restsUntil = now() + REST_MS
      const message = `The cache does not work: ${messageOf(cause)}`
      logger.warn({ err: cause }, message)
      throw new GrainlineError('CACHE_UNAVAILABLE', message, { cause })
    }
  }

  const soon = <T>(work: (store: CacheStore) => T | Promise<T>): Promise<T> =>
    attempt(() => inTime(opened().then(work), deadlineMs))

  /** A synchronous result of an open store is returned synchronously. */
  function get(key: string): ReturnType<CacheStore['get']> {
    if (store === undefined || now() < restsUntil) return soon((opened) => opened.get(key))
    let found: ReturnType<CacheStore['get']>
    try {
      found = store.get(key)
    } catch (error) {
      return soon(() => Promise.reject(error))
    }
    return found instanceof Promise ? attempt(() => inTime(found, deadlineMs)) : found
  }

  const careful: CacheStore = {
    get,
    set: (key, value, ttl) => soon((store) => store.set(key, value, ttl)),
    deleteMany: (keys) => soon((store) => store.deleteMany(keys)),
    async *entries() {
      const all = (await soon(async (store) => store)).entries()[Symbol.asyncIterator]()
      for (let next = await soon(() => all.next()); !next.done; next = await soon(() => all.next())) yield next.value
    },
    // A sweep reads all entries, and no request waits for it.
    sweep: () => attempt(async () => (await opened()).sweep()),
    async close() {
      const store = await opening?.catch(() => undefined)
      await store?.close()
    },
  }
  return careful
}

async function inTime<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    let steps = 0
    timer = setInterval(() => {
      steps += 1
      if (steps === STEPS) reject(new Error(`no answer within ${deadlineMs} ms`))
    }, deadlineMs / STEPS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearInterval(timer)
  }
}
