import { setMaxListeners } from 'node:events'
import type { RecordBatch } from '../result/record-batch.js'
import { timedOut } from './within-time.js'

/** What may end a stream before it has ended. */
export interface Limits {
  /** Any of them stops the stream with its own reason: the consumer's, the vendor's when it closes. */
  readonly signals: readonly (AbortSignal | undefined)[]
  readonly timeoutMs: number | undefined
}

/**
 * Runs a vendor's stream under signals and the statement's time-out. All of them abort the one signal that `run` gets; the stream's
 * `finally` then runs at once, even while the consumer is not asking, so that a forgotten answer does not keep its connection. The
 * consumer gets the signal's reason, or `QUERY_TIMEOUT`.
 */
export async function* cancellable(
  { signals, timeoutMs }: Limits,
  run: (signal: AbortSignal) => AsyncGenerator<RecordBatch, void>,
): AsyncGenerator<RecordBatch, void> {
  for (const signal of signals) signal?.throwIfAborted()
  const stop = new AbortController()
  const stream = run(stop.signal)
  const abort = (reason: unknown) => {
    stop.abort(reason)
    // The stream tells its end to the next reader; there is none here.
    stream.return().catch(() => {})
  }
  const detach = signals.map((signal) => listen(signal, abort))
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => abort(timedOut({ timeoutMs })), timeoutMs)
  try {
    for (;;) {
      const { done, value } = await stream.next()
      stop.signal.throwIfAborted()
      if (done === true) return
      yield value
      stop.signal.throwIfAborted()
    }
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    clearTimeout(timer)
    for (const end of detach) end()
    await stream.return()
  }
}

/** One signal may stop any number of queries: that of a closing connection stops all of them. */
function listen(signal: AbortSignal | undefined, abort: (reason: unknown) => void): () => void {
  if (signal) setMaxListeners(0, signal)
  const onAbort = () => abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  return () => signal?.removeEventListener('abort', onAbort)
}
