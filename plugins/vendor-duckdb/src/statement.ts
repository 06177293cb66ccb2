import type { ConnectionPool, RecordBatch, ResultSchema } from '@grainline/core'
import { readBatches } from './batches.js'
import type { Driver } from './driver.js'
import { databaseError } from './errors.js'
import type { Running, Session } from './session.js'

/** Sets a statement going. */
export type Start = (session: Session) => Promise<Running>

/** How often a statement that should stop is told so: an interrupt that comes before the engine has begun is lost. */
const REPEAT_MS = 20

/**
 * Runs one statement on a connection of the pool. However it ends, the connection goes back at rest: nothing is being fetched on it, and
 * what was half read is closed.
 */
export async function* runStatement(
  pool: ConnectionPool<Session>,
  start: Start,
  schema: ResultSchema,
  driver: Driver,
  signal: AbortSignal,
): AsyncGenerator<RecordBatch, void> {
  const session = await pool.acquire(signal)
  let pending: Promise<unknown> = Promise.resolve()
  let complete = false
  const stopping = interruptOnAbort(session, signal)
  try {
    signal.throwIfAborted()
    const started = start(session)
    pending = started
    const { result, finish } = await started
    yield* readBatches(result, schema, driver, (fetch) => {
      pending = fetch
    })
    await finish()
    complete = true
  } catch (error) {
    throw signal.aborted ? signal.reason : databaseError(error)
  } finally {
    if (!complete) session.interrupt()
    await pending.catch(() => {})
    stopping.end()
    await giveBack(pool, session, complete)
  }
}

function interruptOnAbort(session: Session, signal: AbortSignal): { readonly end: () => void } {
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    session.interrupt()
    timer = setInterval(() => session.interrupt(), REPEAT_MS)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    end() {
      clearInterval(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

async function giveBack(pool: ConnectionPool<Session>, session: Session, complete: boolean): Promise<void> {
  if (complete) return pool.release(session)
  try {
    await session.settle()
    await pool.release(session)
  } catch {
    await pool.release(session, 'broken')
  }
}
