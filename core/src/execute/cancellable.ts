import { setMaxListeners } from 'node:events'
import type { RecordBatch } from '../result/record-batch.js'
import { type AnswerReader, ReadAnswer } from './answer-reader.js'
import { timedOut } from './within-time.js'

/** What may end a stream early. */
export interface Limits {
  /** Any of them stops the stream with its own reason: that of the consumer, or of the vendor when it closes. */
  readonly signals: readonly (AbortSignal | undefined)[]
  readonly timeoutMs: number | undefined
}

/**
 * Runs the stream of a vendor under signals and the time limit of the statement. All of them abort the one signal that `run` gets; the
 * `finally` of the stream then runs at once, even if the consumer does not read, so that an abandoned answer does not keep its connection.
 * The consumer gets the reason of the signal, or `QUERY_TIMEOUT`. `run` passes the reader to its pool, which ends the stream if the consumer
 * reads too slowly while others wait; the consumer then gets the rest of the answer, or `READER_TOO_SLOW` if it is large.
 */
export async function* cancellable(
  { signals, timeoutMs }: Limits,
  run: (signal: AbortSignal, reader: AnswerReader) => AsyncGenerator<RecordBatch, void>,
): AsyncGenerator<RecordBatch, void> {
  for (const signal of signals) signal?.throwIfAborted()
  const stop = new AbortController()
  const abort = (reason: unknown) => {
    stop.abort(reason)
    // The stream reports its end to the next reader; there is none here.
    answer.return().catch(() => {})
  }
  const answer = new ReadAnswer((reader) => run(stop.signal, reader), abort)
  const detach = signals.map((signal) => listen(signal, abort))
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => abort(timedOut({ timeoutMs })), timeoutMs)
  try {
    for (;;) {
      const { done, value } = await answer.next()
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
    await answer.return()
  }
}

/** One signal may stop any number of queries: that of a closing connection stops all of them. */
function listen(signal: AbortSignal | undefined, abort: (reason: unknown) => void): () => void {
  if (signal) setMaxListeners(0, signal)
  const onAbort = () => abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  return () => signal?.removeEventListener('abort', onAbort)
}
