import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { ServerAccess } from './target-flags.js'

/** `fetch` over connections that present a client certificate and trust a custom CA; one connection per request. */
export function fetchWithTls(tls: ServerAccess['tls']): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = new URL(String(input))
    const { method = 'GET', headers, body, signal } = init
    const options = { method, headers: headers as Record<string, string>, agent: false, ...tls, ...(signal && { signal }) }
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http).request(url, options, resolve)
      request.on('error', reject)
      request.end(body as string | undefined)
    })
    return responseOf(message.statusCode ?? 500, headersOf(message), message)
  }
}

/** Statuses whose response must not have a body. */
const BARE: ReadonlySet<number> = new Set([204, 205, 304])

/** A response whose body is a stream of Node. */
export function responseOf(status: number, headers: Headers, body: Readable): Response {
  if (BARE.has(status)) {
    body.resume()
    return new Response(null, { status, headers })
  }
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, headers })
}

function headersOf({ headers }: IncomingMessage): Headers {
  return headersFrom(headers)
}

export function headersFrom(given: Readonly<Record<string, string | number | readonly string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given))
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) headers.append(name, String(each))
  return headers
}
