import { credential, login } from '../access/identity.js'
import { toSignIn } from '../access/sign-in.js'
import type { Problem } from './problem.js'

export type { Finding, Problem } from './problem.js'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(readonly problem: Problem) {
    super(problem.detail)
  }
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly accept?: string
  readonly signal?: AbortSignal
}

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

/** Sends a request with a key or token, once. */
export function send(path: string, { method, body, accept, signal }: RequestOptions, key: string | undefined): Promise<Response> {
  const headers: Record<string, string> = { 'x-grainline-ui': '1', accept: accept ?? 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (key !== undefined) headers['authorization'] = `Bearer ${key}`
  const init: RequestInit = { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, signal: signal ?? null }
  return fetch(`api/${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) }).catch(unreachable)
}

/** Asks the server of the page itself. */
export function askPage(path: string, body: unknown): Promise<Response> {
  const headers = {
    'x-grainline-ui': '1',
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  return fetch(path, body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }).catch(
    unreachable,
  )
}

/** Whether a key or token of the person helps: the server of the page says so, unless it has a key of its own. */
const asksWho = ({ status, headers }: Response, { code }: Problem): boolean =>
  status === 401 && headers.has('x-grainline-sign-in') && (code === 'AUTH_REQUIRED' || code === 'AUTH_INVALID')

export async function ask<T>(path: string, options?: RequestOptions): Promise<T> {
  return (await request(path, options)).json()
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** Any thrown value as a problem to show. */
export function problemOfError(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem
  return { code: 'PAGE_ERROR', status: 0, detail: error instanceof Error ? error.message : String(error) }
}

const KEY_HINT =
  'This page asks with the key of its server. Set SVC_API_KEY there to one of the API_KEYS of the API, and start it again.'
const LOGIN_ENDED = 'Your login to this site has ended. Log in there again, then try again. Nothing you typed is lost.'
const SIGN_IN_HINT = 'Sign in with a key or token of your own. Nothing you typed is lost.'

export async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text()
  try {
    const problem: Problem = JSON.parse(text)
    if (response.status !== 401) return problem
    return { ...problem, hint: response.headers.has('x-grainline-sign-in') ? SIGN_IN_HINT : KEY_HINT }
  } catch {
    return { code: `HTTP_${response.status}`, status: response.status, detail: text.slice(0, 300) || response.statusText }
  }
}

function unreachable(error: unknown): never {
  if (isAbort(error)) throw error
  const detail = 'The server does not answer.'
  throw new ApiError({
    code: 'SERVER_UNREACHABLE',
    status: 0,
    detail,
    hint: 'Check that it runs, then try again. Nothing you typed is lost.',
  })
}
