import { readFileSync } from 'node:fs'
import { Agent, fetch } from 'undici'
import type { McpSettings } from '../settings.js'
import type { Send } from './api.js'
import { ApiError } from './api-error.js'

/** Sends requests to the address in the settings, with a client certificate if one is set. */
export function sendOverNetwork({ apiBaseUrl, timeoutMs, tls }: Pick<McpSettings, 'apiBaseUrl' | 'timeoutMs' | 'tls'>): Send {
  const files = Object.fromEntries(Object.entries(tls).map(([name, file]) => [name, readFileSync(file)]))
  const dispatcher = new Agent({ connect: files })
  return async ({ method, path, headers, body, signal }) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const options = { method, headers, dispatcher, signal: signal ? AbortSignal.any([signal, limit]) : limit }
    try {
      const reply = await fetch(apiBaseUrl + path, { ...options, ...(body !== undefined && { body }) })
      return { status: reply.status, text: await reply.text() }
    } catch (error) {
      if (signal?.aborted) throw new ApiError({ code: 'QUERY_CANCELLED', message: 'The call was cancelled' })
      if (limit.aborted) throw late(timeoutMs)
      throw unreachable(apiBaseUrl, error)
    }
  }
}

const late = (timeoutMs: number) =>
  new ApiError({
    code: 'QUERY_TIMEOUT',
    message: `There was no answer within ${timeoutMs / 1000} s`,
    hint: 'Narrow the question, or a person may raise API_TIMEOUT.',
  })

function unreachable(address: string, error: unknown): ApiError {
  const cause: { readonly code?: string; readonly message?: string } = Object(Object(error).cause ?? error)
  const why = cause.code ?? cause.message
  return new ApiError({
    code: 'API_UNREACHABLE',
    message: `${address} did not answer (${why})`,
    hint: 'A person has to check API_BASE_URL, and that the server runs.',
  })
}
