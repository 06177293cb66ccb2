/** Whether the page waits for somebody to sign in. Requests that were refused wait, and are sent again afterwards, so that nothing is lost. */
import type { Problem } from '../api/problem.js'

export interface Asked {
  /** Why the server refused. */
  readonly problem: Problem
  /** It worked before, so the key or token has ended. */
  readonly again: boolean
}

interface Waiting extends Asked {
  readonly settled: Promise<boolean>
  readonly settle: (signedIn: boolean) => void
}

let waiting: Waiting | undefined
const listeners = new Set<() => void>()

export const askedToSignIn = (): Asked | undefined => waiting

export function onSignIn(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows the form. True when somebody has signed in, false when they did not want to. Rejects when the request is cancelled. */
export function toSignIn(asked: Asked, signal: AbortSignal | undefined): Promise<boolean> {
  if (waiting === undefined) {
    let settle: Waiting['settle'] = () => undefined
    const settled = new Promise<boolean>((resolve) => {
      settle = resolve
    })
    change({ ...asked, settled, settle })
  }
  const { settled } = waiting ?? { settled: Promise.resolve(false) }
  if (signal === undefined) return settled
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    void settled.then(resolve).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** The form is closed. */
export function endSignIn(signedIn: boolean): void {
  const ended = waiting
  change(undefined)
  ended?.settle(signedIn)
}

function change(next: Waiting | undefined): void {
  waiting = next
  for (const listener of listeners) listener()
}
