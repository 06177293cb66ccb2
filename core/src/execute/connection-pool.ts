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
export const createPool = <C>(options: PoolOptions<C>): ConnectionPool<C> => new Pool(options)

class Pool<C> implements ConnectionPool<C> {
  readonly #options: PoolOptions<C>
  readonly #idle: C[] = []
  readonly #line = new Set<Waiter<C>>()
  readonly #holders = new Map<C, Holder>()
  readonly #shares = new FairShares()
  #taken = 0
  #closing: (() => void) | undefined
  #looking: NodeJS.Timeout | undefined

  constructor(options: PoolOptions<C>) {
    this.#options = options
  }

  async acquire(signal?: AbortSignal, client = SERVER, reader?: AnswerReader): Promise<C> {
    const { name, waitMs } = this.#options
    signal?.throwIfAborted()
    if (this.#closing !== undefined) fail('POOL_EXHAUSTED', `The ${name} pool is closed`)
    if (this.#mayHave(client)) return this.#lend({ client, reader })
    this.#looking ??= setInterval(() => this.#look(), waitMs / LOOKS).unref()
    return waitInLine(this.#line, { client, reader }, this.#options, signal)
  }

  async release(connection: C, state: 'healthy' | 'broken' = 'healthy'): Promise<void> {
    this.#comeBack(this.#holders.get(connection)?.client ?? SERVER)
    this.#holders.delete(connection)
    if (state === 'healthy' && this.#closing === undefined) this.#idle.push(connection)
    else await this.#options.close(connection)
    this.#serve()
  }

  get stats(): ConnectionPool<C>['stats'] {
    return { open: this.#taken + this.#idle.length, idle: this.#idle.length, waiting: this.#line.size }
  }

  async close(): Promise<void> {
    const { name, close } = this.#options
    const returned = new Promise<void>((resolve) => {
      this.#closing = resolve
    })
    for (const waiter of this.#line) waiter.refuse(new GrainlineError('POOL_EXHAUSTED', `The ${name} pool is closing`))
    this.#line.clear()
    await Promise.all(this.#idle.splice(0).map(close))
    if (this.#taken > 0) await returned
  }

  async #lend({ client, reader }: Holder): Promise<C> {
    this.#taken++
    this.#shares.take(client)
    try {
      const connection = this.#idle.pop() ?? (await this.#options.open())
      this.#holders.set(connection, { client, reader })
      return connection
    } catch (error) {
      this.#comeBack(client)
      this.#serve()
      throw error
    }
  }

  #comeBack(client: string): void {
    this.#taken--
    this.#shares.leave(client)
  }

  #mayHave(client: string): boolean {
    const { size } = this.#options
    const free = size - this.#taken
    if (free > 1 || size < LEAST_WITH_SPARE) return free > 0
    return free === 1 && (client === SERVER || this.#shares.held(client) === this.#taken || this.#shares.isLight(client))
  }

  /** Free slots go to the waiting requests in their order. */
  #serve(): void {
    if (this.#closing !== undefined) {
      if (this.#taken === 0) this.#closing()
      return
    }
    if (this.#line.size === 0) return
    const waiter = this.#shares.next([...this.#line].filter(({ client }) => this.#mayHave(client)))
    if (waiter === undefined) return
    waiter.give(this.#lend(waiter))
    this.#serve()
  }

  /** Asks for as many connections as are waited for, of the readers that have kept others waiting the longest. */
  #look(): void {
    const { waitMs } = this.#options
    if (this.#line.size === 0) {
      clearInterval(this.#looking)
      this.#looking = undefined
      return
    }
    const readers = [...this.#holders.values()].flatMap(({ reader }) => reader ?? [])
    const asked = readers.filter(({ givesWay }) => givesWay).length
    readers
      .map((reader) => ({ reader, ms: reader.keptWaiting(waitMs / LOOKS) }))
      .filter(({ ms }) => ms >= waitMs / 2)
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, Math.max(0, this.#line.size - asked))
      .forEach(({ reader }) => {
        reader.giveWay(waitMs / 5)
      })
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
