import { ApiError, refusalOf } from './api-error.js'
import { isBusy, pause, waitBefore } from './retry.js'

export interface ClientOptions {
  /** The address of the server: the part before `/v1`. In a page of the server itself it may be ''. */
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  /** The header of the key; by default it is sent as `Authorization: Bearer`. */
  readonly apiKeyHeader?: string | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** How often a request is sent again after 429 or 503; 3 by default. */
  readonly retries?: number
  /** Replaces the global one: for client certificates, proxies and tests. */
  readonly fetch?: typeof globalThis.fetch
}

export interface CallOptions {
  /** Aborting ends the request; the server then cancels the statement in its database. */
  readonly signal?: AbortSignal | undefined
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Relative to the server's address: `/v1/models`. */
  readonly path: string
  readonly url?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: object
  readonly accept?: string
}

/** Sends requests. Rejects with `ApiError` if the API returns an error, and with the reason of the signal if it aborts. */
export type Connection = (request: ApiRequest, options?: CallOptions) => Promise<Response>

export function connect(options: ClientOptions): Connection {
  const { baseUrl, retries = 3, fetch = globalThis.fetch } = options
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  const own = { ...options.headers, ...credential(options) }
  return async ({ method, path, url = {}, body, accept = 'application/json' }, { signal } = {}) => {
    const headers = { ...own, accept, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }), ...(signal && { signal }) }
    const address = `${base}${path}${queryString(url)}`
    for (let attempt = 0; ; attempt++) {
      const response = await reach(() => fetch(address, sent), base, signal)
      if (response.ok) return response
      if (!isBusy(response) || attempt >= retries) throw await refusalOf(response)
      await response.body?.cancel()
      await pause(waitBefore(attempt, response, Date.now()), signal)
    }
  }
}

function credential({ apiKey, apiKeyHeader }: ClientOptions): Record<string, string> {
  if (apiKey === undefined || apiKey === '') return {}
  return apiKeyHeader === undefined ? { authorization: `Bearer ${apiKey}` } : { [apiKeyHeader]: apiKey }
}

function queryString(url: NonNullable<ApiRequest['url']>): string {
  const given = Object.entries(url).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]))
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given))}`
}

async function reach(send: () => Promise<Response>, base: string, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await send()
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof ApiError) throw error
    const detail = `${base === '' ? 'The server' : base} does not answer: ${reasonOf(error)}`
    throw new ApiError({ code: 'SERVER_UNREACHABLE', status: 0, detail }, error)
  }
}

/** `fetch` reports only that it failed; the reason is in the cause, or in the attempts that a cause collects. */
function reasonOf(error: unknown): string {
  const { cause, errors, message } = error as { cause?: unknown; errors?: readonly unknown[]; message?: string }
  if (cause !== undefined) return reasonOf(cause)
  if (errors?.length) return [...new Set(errors.map(reasonOf))].join('; ')
  return message || String(error)
}
