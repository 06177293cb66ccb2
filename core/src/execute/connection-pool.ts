import { setMaxListeners } from 'node:events'
import { fail, GrainlineError } from '../errors.js'
import { FairShares } from '../fair-shares.js'
import type { AnswerReader } from './answer-reader.js'

/** The size of a pool, and how a connection is opened and closed. */
export interface PoolOptions<C> {
  readonly name: string
  readonly size: number
  /** Longest wait for a connection. */
  readonly waitMs: number
  readonly open: () => Promise<C>
  readonly close: (connection: C) => void | Promise<void>
  /** The name in messages; `connections` by default. */
  readonly lends?: string
  /** The setting that the operator raises if the pool is too small; `DB_POOL_SIZE` by default. */
  readonly raise?: string
}

/**
 * Lends connections, and opens one only when none is idle. Waiting requests are served by the recent use of their client, the least first.
 * Of three or more connections, the last one is reserved for clients with little recent use, so that clients with many requests do not
 * block the others. While requests wait, readers that have kept them waiting for half of the longest wait give way, one for each request.
 */
export interface ConnectionPool<C> {
  /**
   * Throws `POOL_EXHAUSTED` after the longest wait, and the reason of the signal if it aborts first. Without a client, the server itself is
   * the client. With a reader, the connection can be asked back while the reader does not read.
   */
  acquire(signal?: AbortSignal, client?: string, reader?: AnswerReader): Promise<C>
  /** Returns a connection to the pool; a broken one is closed and its slot freed. */
  release(connection: C, state?: 'healthy' | 'broken'): Promise<void>
  readonly stats: { readonly open: number; readonly idle: number; readonly waiting: number }
  /** Refuses waiting requests, then closes every connection when it is returned. */
  close(): Promise<void>
}

interface Holder {
  readonly client: string
  readonly reader?: AnswerReader | undefined
}

interface Waiter<C> extends Holder {
  readonly give: (connection: Promise<C>) => void
  readonly refuse: (reason: unknown) => void
}

/** A key that no client has. */
const SERVER = ''
/** A smaller pool has no connection to reserve. */
const LEAST_WITH_SPARE = 3
/** While requests wait, the readers are looked at so many times in the longest wait. */
const LOOKS = 40

/** A pool that opens connections as they are needed. `acquire` rejects with `POOL_EXHAUSTED` after the longest wait. */
export function createPool<C>(options: PoolOptions<C>): ConnectionPool<C> {
  const idle: C[] = []
  const line = new Set<Waiter<C>>()
  const holders = new Map<C, Holder>()
  const shares = new FairShares()
  let taken = 0
  let closing: (() => void) | undefined
  let looking: NodeJS.Timeout | undefined

  async function lend({ client, reader }: Holder): Promise<C> {
    taken++
    shares.take(client)
    try {
      const connection = idle.pop() ?? (await options.open())
      holders.set(connection, { client, reader })
      return connection
    } catch (error) {
      comeBack(client)
      serve()
      throw error
    }
  }

  function comeBack(client: string): void {
    taken--
    shares.leave(client)
  }

  function mayHave(client: string): boolean {
    const free = options.size - taken
    if (free > 1 || options.size < LEAST_WITH_SPARE) return free > 0
    return free === 1 && (client === SERVER || shares.held(client) === taken || shares.isLight(client))
  }

  /** Free slots go to the waiting requests in their order. */
  function serve(): void {
    if (closing !== undefined) {
      if (taken === 0) closing()
      return
    }
    if (line.size === 0) return
    const waiter = shares.next([...line].filter(({ client }) => mayHave(client)))
    if (waiter === undefined) return
    waiter.give(lend(waiter))
    serve()
  }

  /** Asks for as many connections as are waited for, of the readers that have kept others waiting the longest. */
  function look(): void {
    if (line.size === 0) {
      clearInterval(looking)
      looking = undefined
      return
    }
    const readers = [...holders.values()].flatMap(({ reader }) => reader ?? [])
    const asked = readers.filter(({ givesWay }) => givesWay).length
    readers
      .map((reader) => ({ reader, ms: reader.keptWaiting(options.waitMs / LOOKS) }))
      .filter(({ ms }) => ms >= options.waitMs / 2)
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, Math.max(0, line.size - asked))
      .forEach(({ reader }) => {
        reader.giveWay(options.waitMs / 5)
      })
  }

  return {
    async acquire(signal, client = SERVER, reader = undefined) {
      signal?.throwIfAborted()
      if (closing !== undefined) fail('POOL_EXHAUSTED', `The ${options.name} pool is closed`)
      if (mayHave(client)) return lend({ client, reader })
      looking ??= setInterval(look, options.waitMs / LOOKS).unref()
      return waitInLine(line, { client, reader }, options, signal)
    },
    async release(connection, state = 'healthy') {
      comeBack(holders.get(connection)?.client ?? SERVER)
      holders.delete(connection)
      if (state === 'healthy' && closing === undefined) idle.push(connection)
      else await options.close(connection)
      serve()
    },
    get stats() {
      return { open: taken + idle.length, idle: idle.length, waiting: line.size }
    },
    async close() {
      const returned = new Promise<void>((resolve) => {
        closing = resolve
      })
      for (const waiter of line) waiter.refuse(new GrainlineError('POOL_EXHAUSTED', `The ${options.name} pool is closing`))
      line.clear()
      await Promise.all(idle.splice(0).map(options.close))
      if (taken > 0) await returned
    },
  }
}

function waitInLine<C>(
  line: Set<Waiter<C>>,
  holder: Holder,
  { name, lends = 'connections', size, waitMs, raise = 'DB_POOL_SIZE' }: PoolOptions<C>,
  signal: AbortSignal | undefined,
): Promise<C> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      line.delete(waiter)
    }
    const waiter: Waiter<C> = {
      ...holder,
      give: (connection) => {
        leave()
        resolve(connection)
      },
      refuse: (reason) => {
        leave()
        reject(reason)
      },
    }
    const onAbort = () => waiter.refuse(signal?.reason)
    const busy = `All ${size} ${lends} of the ${name} pool have been busy for ${waitMs / 1000} s`
    const timer = setTimeout(
      () => waiter.refuse(new GrainlineError('POOL_EXHAUSTED', busy, { hint: `Try again, or raise ${raise}` })),
      waitMs,
    )
    // One signal may refuse any number of waiters: that of a closing connection refuses all.
    if (signal) setMaxListeners(0, signal)
    signal?.addEventListener('abort', onAbort, { once: true })
    line.add(waiter)
  })
}
