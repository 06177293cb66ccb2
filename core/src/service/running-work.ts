import { GrainlineError } from '../errors.js'

/** Work that ends when its caller or the service stops it. */
export class RunningWork {
  readonly #controllers = new Set<AbortController>()

  /** Runs the work with a signal that is aborted by the caller's, and by the service when it closes. */
  async run<T>(caller: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const abort = () => controller.abort(caller?.reason)
    this.#controllers.add(controller)
    caller?.addEventListener('abort', abort, { once: true })
    if (caller?.aborted) abort()
    try {
      return await work(controller.signal)
    } finally {
      this.#controllers.delete(controller)
      caller?.removeEventListener('abort', abort)
    }
  }

  abortAll(): void {
    for (const controller of this.#controllers) controller.abort(new GrainlineError('SHUTTING_DOWN', 'The service is stopping'))
  }
}
