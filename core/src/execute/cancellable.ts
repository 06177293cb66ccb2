import { GrainlineError } from '../errors.js'
import type { RecordBatch } from '../result/record-batch.js'
import type { VendorQuery } from './vendor.js'

/**
 * Runs a vendor's stream under the caller's signal and the statement's time-out. Both abort the one signal that `run` gets; the stream's
 * `finally` then runs at once, even while the consumer is not asking, so that a forgotten answer does not keep its connection. The
 * consumer gets the signal's reason, or `QUERY_TIMEOUT`.
 */
export async function* cancellable(
  query: Pick<VendorQuery, 'signal' | 'timeoutMs'>,
  run: (signal: AbortSignal) => AsyncGenerator<RecordBatch, void>,
): AsyncGenerator<RecordBatch, void> {
  query.signal?.throwIfAborted()
  const stop = new AbortController()
  const stream = run(stop.signal)
  const abort = (reason: unknown) => {
    stop.abort(reason)
    // The stream tells its end to whoever asks next; nobody listens here.
    stream.return().catch(() => {})
  }
  const onAbort = () => abort(query.signal?.reason)
  query.signal?.addEventListener('abort', onAbort, { once: true })
  const timer = query.timeoutMs === undefined ? undefined : setTimeout(() => abort(timedOut(query.timeoutMs ?? 0)), query.timeoutMs)
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
    query.signal?.removeEventListener('abort', onAbort)
    await stream.return()
  }
}

const timedOut = (timeoutMs: number): GrainlineError =>
  new GrainlineError('QUERY_TIMEOUT', `The query ran longer than ${timeoutMs / 1000} s and was cancelled in the database`)
