import { type TimeLimit, timedOut } from '../execute/within-time.js'

export interface WaitOptions extends TimeLimit {
  readonly signal?: AbortSignal | undefined
}

interface Run<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiting: number
}

/**
 * Work that several callers request at the same time is done once. Each waits as long as its options say; the work is aborted when none of
 * them waits any more. Later callers share it until its result is `kept`, where others find it.
 */
export class SharedRuns<T extends { readonly kept?: Promise<unknown> | undefined }> {
  readonly #runs = new Map<string, Run<T>>()

  /** Rejects with the error of the work, the reason of the signal, or `QUERY_TIMEOUT`. */
  async join(key: string, options: WaitOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    options.signal?.throwIfAborted()
    const run = this.#runs.get(key) ?? this.#begin(key, work)
    run.waiting += 1
    const { gaveUp, end } = givingUp(options)
    try {
      return await Promise.race([run.result, gaveUp])
    } catch (error) {
      run.waiting -= 1
      if (run.waiting === 0) {
        this.#forget(key, run)
        run.controller.abort(error)
      }
      throw error
    } finally {
      end()
    }
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Run<T> {
    const controller = new AbortController()
    const result = work(controller.signal)
    const run: Run<T> = { result, controller, waiting: 0 }
    this.#runs.set(key, run)
    const forget = () => this.#forget(key, run)
    result.then(({ kept }) => kept).then(forget, forget)
    return run
  }

  #forget(key: string, run: Run<T>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key)
  }
}

/** Rejects when the signal aborts or the time is over. */
function givingUp({ signal, ...limit }: WaitOptions): { readonly gaveUp: Promise<never>; readonly end: () => void } {
  let end = () => {}
  const gaveUp = new Promise<never>((_, reject) => {
    const abort = () => reject(signal?.reason)
    const late = () => reject(timedOut(limit))
    const timer = limit.timeoutMs === undefined ? undefined : setTimeout(late, limit.timeoutMs)
    signal?.addEventListener('abort', abort, { once: true })
    end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  })
  return { gaveUp, end }
}
