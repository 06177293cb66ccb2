import { setTimeout as after, clearTimeout, setImmediate as onNext } from './timers.js'

interface Options {
  readonly signal?: AbortSignal
}

export const setTimeout = <T>(ms = 1, value?: T, { signal }: Options = {}): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = after(() => {
      signal?.removeEventListener('abort', stop)
      resolve(value)
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })

export const setImmediate = <T>(value?: T): Promise<T | undefined> => new Promise((resolve) => void onNext(() => resolve(value)))

export default { setTimeout, setImmediate }
