import { credential, login } from '../access/identity.js'
import { toSignIn } from '../access/sign-in.js'
import type { Problem } from './problem.js'
import { ApiError, problemOf, type RequestOptions, send } from './send.js'

export type { Finding, Problem } from './problem.js'
export { ApiError, isAbort, problemOfError } from './send.js'

const LOGIN_ENDED = 'Your login to this site has ended. Log in there again, then try again. Nothing you typed is lost.'

/**
 * `path` starts with `v1/…`. Throws `ApiError` for an error of the API or the network; an abort remains an abort. If the server asks who the person is, the
 * request waits until they have signed in, and is sent again.
 */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const sent = credential()
  const response = await send(path, options, sent)
  if (response.ok) {
    worked = true
    return response
  }
  const problem = await problemOf(response)
  if (!asksWho(response, problem)) throw new ApiError(problem)
  if (sent === undefined && worked) throw new ApiError({ ...problem, hint: LOGIN_ENDED })
  // Somebody may have signed in while this request was under way.
  if (credential() === sent && !(await hasToken(sent, problem, options.signal))) throw new ApiError(problem)
  return request(path, options)
}

/** Whether there is a token now: the session of the provider goes on, or the person has signed in. */
async function hasToken(sent: string | undefined, problem: Problem, signal: AbortSignal | undefined): Promise<boolean> {
  if (login()?.refresh === undefined) return toSignIn({ problem, again: worked }, signal)
  const { goOn } = await import('../access/go-on.js')
  const ended = await goOn(sent, problem)
  signal?.throwIfAborted()
  return ended === undefined || toSignIn({ problem: ended, again: true }, signal)
}

/** An earlier request was answered. */
let worked = false

/** Whether a key or token of the person helps: the server of the page says so, unless it has a key of its own. */
const asksWho = ({ status, headers }: Response, { code }: Problem): boolean =>
  status === 401 && headers.has('x-grainline-sign-in') && (code === 'AUTH_REQUIRED' || code === 'AUTH_INVALID')

export async function ask<T>(path: string, options?: RequestOptions): Promise<T> {
  return (await request(path, options)).json()
}
