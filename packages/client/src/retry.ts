/** Statuses after which the same request may be sent again, because it was not processed. */
const BUSY: ReadonlySet<number> = new Set([429, 503])
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000

export const isBusy = ({ status }: Response): boolean => BUSY.has(status)

/** The delay before the attempt after `attempt` (from 0): that of `Retry-After`, or else longer each time. */
export function waitBefore(attempt: number, response: Response, now: number): number {
  const asked = retryAfter(response.headers.get('retry-after'), now)
  return Math.min(asked ?? FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS)
}

/** Milliseconds from seconds or from an HTTP date; `undefined` for other texts. */
function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Resolves after a time; rejects with the reason of the signal as soon as that aborts. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
