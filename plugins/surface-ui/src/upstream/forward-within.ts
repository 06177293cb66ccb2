import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Upstream } from './upstream.js'

/**
 * Requests to the server that serves the page, as if they came from outside: they pass the same door, without a socket, so that TLS and
 * client certificates of the server do not matter.
 */
export function forwardWithin(app: FastifyInstance): Upstream {
  return async ({ method, path, headers, body, remoteAddress, signal }) => {
    const payload = endedBy(signal, body)
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    const request = { method, url: app.prefix + path, headers: { ...headers, ...length }, payload, remoteAddress }
    const reply = await app.inject({ ...request, payloadAsStream: true })
    return { status: reply.statusCode, headers: reply.headers, body: reply.stream() }
  }
}

/**
 * A body that breaks when the browser goes away, even after it was read: that ends the request, and what is worked for it. The `signal`
 * of `inject` counts only until the body is read.
 */
function endedBy(signal: AbortSignal, body: Buffer | undefined): Readable {
  const payload = new Readable({ read() {}, autoDestroy: false })
  if (body !== undefined) payload.push(body)
  payload.push(null)
  signal.addEventListener('abort', () => payload.destroy(new Error('The browser went away')), { once: true })
  return payload
}
