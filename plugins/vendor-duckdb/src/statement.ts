import type { AnswerReader, ConnectionPool, RecordBatch, VendorQuery } from '@grainline/core/vendor'
import { readBatches } from './batches.js'
import type { Driver } from './driver.js'
import { databaseError } from './errors.js'
import type { MemoryWatch } from './memory-watch.js'
import type { Running } from './running.js'
import type { Session } from './session.js'

/** Sets a statement going. */
export type Start = (session: Session) => Promise<Running>

/** How long an interrupted statement may go on; then a new connection replaces its own. */
const GRACE_MS = 2000
/** Connections that are given up at one time, each with a thread of libuv that still works; the thread setting leaves four besides the pool's. */
const MOST_GIVEN_UP = 2

/** What the statements of one database share. */
export class GivenUp {
  count = 0

  constructor(readonly graceMs = GRACE_MS) {}
}

/** Where a statement runs, and for which client. */
export interface StatementDeps {
  readonly pool: ConnectionPool<Session>
  readonly client?: string
  readonly driver: Driver
  readonly givenUp: GivenUp
  readonly memory: MemoryWatch
}

/** One statement, and what ends it. */
export interface StatementRun extends Omit<VendorQuery, 'signal' | 'timeoutMs'> {
  readonly reader?: AnswerReader
  /** Called if the memory of the process grows too much while it runs. */
  readonly end: () => void
}

const NOTHING: Promise<unknown> = Promise.resolve()

/** How often a statement that should stop is interrupted: an interrupt that comes before the engine has begun is lost. */
const REPEAT_MS = 20

/**
 * Runs one statement on a connection of the pool. Whatever its end, the connection returns idle: nothing is being fetched on it, and
 * a partly read result is closed. One that ignores an interrupt is abandoned, so that its place is free for others.
 */
export async function* runStatement(
  { pool, driver, givenUp, memory, client }: StatementDeps,
  start: Start,
  { schema, started, reader, end }: StatementRun,
  signal: AbortSignal,
): AsyncGenerator<RecordBatch, void> {
  const session = await pool.acquire(signal, client, reader)
  started?.()
  let leave = memory.enter(end)
  let pending: Promise<unknown> = NOTHING
  let complete = false
  const stopping = interruptOnAbort(session, signal, givenUp)
  try {
    signal.throwIfAborted()
    const starting = start(session)
    pending = starting
    const running = await stopping.heard(starting)
    const batches = readBatches(running, schema, driver, (fetch) => {
      pending = fetch
      return stopping.heard(fetch)
    })
    for await (const batch of batches) {
      leave()
      yield batch
      leave = memory.enter(end)
    }
    await running.finish()
    running.letGo()
    complete = true
  } catch (error) {
    throw signal.aborted ? signal.reason : databaseError(error, schema)
  } finally {
    if (complete) {
      pending = NOTHING
      stopping.end()
      await pool.release(session)
    } else {
      session.interrupt()
      const rest = pending.catch(() => {}).finally(() => stopping.end())
      if (!stopping.isLost() && (await isAtRest(rest, givenUp))) await giveBack(pool, session)
      else await giveUp({ pool, givenUp }, session, rest)
    }
    leave()
  }
}

interface Stopping {
  /** The result of the work, or the reason to stop if the work continues after the grace period. */
  readonly heard: <T>(work: Promise<T>) => Promise<T>
  readonly isLost: () => boolean
  readonly end: () => void
}

function interruptOnAbort(session: Session, signal: AbortSignal, givenUp: GivenUp): Stopping {
  let repeating: NodeJS.Timeout | undefined
  let grace: NodeJS.Timeout | undefined
  let lose: (reason: unknown) => void = () => {}
  let lost = false
  const onAbort = () => {
    session.interrupt()
    repeating = setInterval(() => session.interrupt(), REPEAT_MS)
    grace = setTimeout(() => {
      lost = givenUp.count < MOST_GIVEN_UP
      if (lost) lose(signal.reason)
    }, givenUp.graceMs)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    heard: (work) =>
      new Promise((resolve, reject) => {
        lose = reject
        work.then(resolve, reject)
      }),
    isLost: () => lost,
    end() {
      // It knows the last chunk.
      lose = () => {}
      clearInterval(repeating)
      clearTimeout(grace)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** False when it still works after the grace, and may be given up. */
async function isAtRest(rest: Promise<unknown>, { count, graceMs }: GivenUp): Promise<boolean> {
  if (count >= MOST_GIVEN_UP) return rest.then(() => true)
  let timer: NodeJS.Timeout | undefined
  const grace = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), graceMs)
  })
  return Promise.race([rest.then(() => true), grace]).finally(() => clearTimeout(timer))
}

/** Its place is free at once, and it is closed when the engine lets go of it. */
async function giveUp(
  { pool, givenUp }: Pick<StatementDeps, 'pool' | 'givenUp'>,
  session: Session,
  rest: Promise<unknown>,
): Promise<void> {
  givenUp.count++
  void rest.then(() => {
    givenUp.count--
  })
  session.closeAfter(rest)
  await pool.release(session, 'broken')
}

async function giveBack(pool: ConnectionPool<Session>, session: Session): Promise<void> {
  try {
    await session.settle()
    await pool.release(session)
  } catch {
    await pool.release(session, 'broken')
  }
}
