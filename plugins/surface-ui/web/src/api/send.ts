/** One request to the server of the page, and its error as a problem to show. */
import type { Problem } from './problem.js'

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

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** Any thrown value as a problem to show. */
export function problemOfError(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem
  return { code: 'PAGE_ERROR', status: 0, detail: error instanceof Error ? error.message : String(error) }
}

const KEY_HINT =
  'This page asks with the key of its server. Set SVC_API_KEY there to one of the API_KEYS of the API, and start it again.'
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
