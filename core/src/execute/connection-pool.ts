import { setMaxListeners } from 'node:events'
import { fail, GrainlineError } from '../errors.js'
import { FairShares } from '../fair-shares.js'

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
 * block the others.
 */
export interface ConnectionPool<C> {
  /**
   * Throws `POOL_EXHAUSTED` after the longest wait, and the reason of the signal if it aborts first. Without a client, the server itself is
   * the client.
   */
  acquire(signal?: AbortSignal, client?: string): Promise<C>
  /** Returns a connection to the pool; a broken one is closed and its slot freed. */
  release(connection: C, state?: 'healthy' | 'broken'): Promise<void>
  readonly stats: { readonly open: number; readonly idle: number; readonly waiting: number }
  /** Refuses waiting requests, then closes every connection when it is returned. */
  close(): Promise<void>
}

interface Waiter<C> {
  readonly client: string
  readonly give: (connection: Promise<C>) => void
  readonly refuse: (reason: unknown) => void
}

/** A key that no client has. */
const SERVER = ''
/** A smaller pool has no connection to reserve. */
const LEAST_WITH_SPARE = 3

/** A pool that opens connections as they are needed. `acquire` rejects with `POOL_EXHAUSTED` after the longest wait. */
export function createPool<C>(options: PoolOptions<C>): ConnectionPool<C> {
  const idle: C[] = []
  const line = new Set<Waiter<C>>()
  const holders = new Map<C, string>()
  const shares = new FairShares()
  let taken = 0
  let closing: (() => void) | undefined

  async function lend(client: string): Promise<C> {
    taken++
    shares.take(client)
    try {
      const connection = idle.pop() ?? (await options.open())
      holders.set(connection, client)
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
    waiter.give(lend(waiter.client))
    serve()
  }

  return {
    async acquire(signal, client = SERVER) {
      signal?.throwIfAborted()
      if (closing !== undefined) fail('POOL_EXHAUSTED', `The ${options.name} pool is closed`)
      return mayHave(client) ? lend(client) : waitInLine(line, client, options, signal)
    },
    async release(connection, state = 'healthy') {
      comeBack(holders.get(connection) ?? SERVER)
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
  client: string,
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
      client,
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
