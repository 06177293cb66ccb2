import { ApiError, refusalOf } from './api-error.js'

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path below the API's address, with the query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal | undefined
}
export interface ApiReply {
  readonly status: number
  readonly text: string
}
/** Sends a request to the REST API, over the network or within the process. Rejects if there is no reply. */
export type Send = (request: ApiRequest) => Promise<ApiReply>

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** The W3C trace context of the caller. */
  readonly traceparent?: string | undefined
}

/** The REST API with the credential of the caller. Every method rejects with `ApiError`, which contains the error of the API. */
export interface Api {
  get<T>(path: string, query?: Query, options?: CallOptions): Promise<T>
  /** The body of the response as text. */
  text(path: string, options?: CallOptions): Promise<string>
  post<T>(path: string, body: object, options?: CallOptions): Promise<T>
  remove(path: string, options?: CallOptions): Promise<void>
}
export type Query = Readonly<Record<string, string | number | undefined>>

/** `headers` contain the credential of the caller. */
export function apiOver(send: Send, headers: Readonly<Record<string, string>>): Api {
  async function call(request: Omit<ApiRequest, 'headers'>, { traceparent, signal }: CallOptions = {}): Promise<string> {
    const own = {
      accept: 'application/json',
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...(traceparent !== undefined && { traceparent }),
    }
    const { status, text } = await send({ ...request, headers: { ...headers, ...own }, signal })
    if (status >= 400) throw refusalOf(status, text)
    return text
  }
  return {
    get: async (path, query = {}, options) => parsed(await call({ method: 'GET', path: path + queryString(query) }, options)),
    text: (path, options) => call({ method: 'GET', path }, options),
    post: async (path, body, options) => parsed(await call({ method: 'POST', path, body: JSON.stringify(body) }, options)),
    remove: async (path, options) => void (await call({ method: 'DELETE', path }, options)),
  }
}

function queryString(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]))
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given))}`
}

function parsed<T>(text: string): T {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError({
      code: 'API_UNREACHABLE',
      message: 'The answer is not JSON: API_BASE_URL does not lead to a Grainline server',
    })
  }
}
