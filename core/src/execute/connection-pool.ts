import { fail, GrainlineError } from '../errors.js'

export interface PoolOptions<C> {
  readonly name: string
  readonly size: number
  /** Longest wait for a connection. */
  readonly waitMs: number
  readonly open: () => Promise<C>
  readonly close: (connection: C) => void | Promise<void>
}

/** Lends connections in the order in which they were asked for, and opens one only when none is idle. */
export interface ConnectionPool<C> {
  /** Throws `POOL_EXHAUSTED` after the longest wait, and the signal's reason when it aborts first. */
  acquire(signal?: AbortSignal): Promise<C>
  /** Gives a connection back; a broken one is closed and its place freed. */
  release(connection: C, state?: 'healthy' | 'broken'): Promise<void>
  readonly stats: { readonly open: number; readonly idle: number; readonly waiting: number }
  /** Refuses those who wait, then closes every connection once it is given back. */
  close(): Promise<void>
}

interface Waiter<C> {
  readonly give: (connection: C) => void
  readonly refuse: (reason: unknown) => void
}

export function createPool<C>(options: PoolOptions<C>): ConnectionPool<C> {
  const idle: C[] = []
  const line = new Set<Waiter<C>>()
  let taken = 0
  let closing: (() => void) | undefined

  const next = (): Waiter<C> | undefined => {
    const [waiter] = line
    if (waiter !== undefined) line.delete(waiter)
    return waiter
  }

  async function open(): Promise<C> {
    taken++
    try {
      return await options.open()
    } catch (error) {
      taken--
      serveNext()
      throw error
    }
  }

  /** A free place goes to the one who has waited longest. */
  function serveNext(): void {
    if (closing !== undefined) {
      if (taken === 0) closing()
      return
    }
    const waiter = next()
    if (waiter !== undefined) open().then(waiter.give, waiter.refuse)
  }

  return {
    async acquire(signal) {
      signal?.throwIfAborted()
      if (closing !== undefined) fail('POOL_EXHAUSTED', `The ${options.name} pool is closed`)
      const connection = idle.pop()
      if (connection !== undefined) {
        taken++
        return connection
      }
      return taken < options.size ? open() : waitInLine(line, options, signal)
    },
    async release(connection, state = 'healthy') {
      const waiter = state === 'healthy' && closing === undefined ? next() : undefined
      if (waiter !== undefined) {
        waiter.give(connection)
        return
      }
      taken--
      if (state === 'healthy' && closing === undefined) {
        idle.push(connection)
        return
      }
      await options.close(connection)
      serveNext()
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
  { name, size, waitMs }: PoolOptions<C>,
  signal: AbortSignal | undefined,
): Promise<C> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      line.delete(waiter)
    }
    const waiter: Waiter<C> = {
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
    const busy = `All ${size} connections of the ${name} pool have been busy for ${waitMs / 1000} s`
    const timer = setTimeout(
      () => waiter.refuse(new GrainlineError('POOL_EXHAUSTED', busy, { hint: 'Try again, or raise DB_POOL_SIZE' })),
      waitMs,
    )
    signal?.addEventListener('abort', onAbort, { once: true })
    line.add(waiter)
  })
}
