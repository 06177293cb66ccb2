/** The body of an error of the API, `application/problem+json`. */
export interface Problem {
  readonly code: string
  readonly detail: string
  readonly status: number
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly errors?: readonly Finding[]
  readonly request_id?: string
}

export interface Finding {
  readonly code: string
  readonly message: string
  readonly path: string
  readonly severity: 'error' | 'warning'
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly line?: number
  readonly column?: number
}

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

/** `path` starts with `v1/…`. Throws `ApiError` for an error of the API or the network; an abort remains an abort. */
export async function request(path: string, { method, body, accept, signal }: RequestOptions = {}): Promise<Response> {
  const headers: Record<string, string> = { 'x-grainline-ui': '1', accept: accept ?? 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const init: RequestInit = { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, signal: signal ?? null }
  const response = await fetch(`api/${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) }).catch(
    unreachable,
  )
  if (response.ok) return response
  throw new ApiError(await problemOf(response))
}

export async function ask<T>(path: string, options?: RequestOptions): Promise<T> {
  return (await request(path, options)).json()
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** Any thrown value as a problem to show. */
export function problemOfError(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem
  return { code: 'PAGE_ERROR', status: 0, detail: error instanceof Error ? error.message : String(error) }
}

/** The user of the page sends no key: the server of the page does. */
const KEY_HINT =
  'This page asks with the key of its server. Set SVC_API_KEY there to one of the API_KEYS of the API, and start it again.'

async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text()
  try {
    const problem: Problem = JSON.parse(text)
    return response.status === 401 ? { ...problem, hint: KEY_HINT } : problem
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
