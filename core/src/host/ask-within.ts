import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** A request to this server from inside the process. */
export interface RequestWithin {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path from the root on, the prefix of the server included, with its query string. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | string | undefined
  /** Address of the client of the request. */
  readonly remoteAddress: string
  /** Aborts when that client disconnects. */
  readonly signal?: AbortSignal | undefined
}

/** The answer to a request from inside the process. */
export interface AnswerWithin {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>
  readonly body: Readable
}

/**
 * A request to this server as if it came from outside: it passes the same checks, without a socket, so that TLS and client
 * certificates of the server do not matter. Aborting ends the request and what runs for it in the database.
 */
export async function askWithin(app: FastifyInstance, request: RequestWithin): Promise<AnswerWithin> {
  const { method, url, headers, body, remoteAddress, signal } = request
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const payload = streamOf(body)
  // The `signal` of `inject` counts only until the body is read: breaking the payload ends the request even after that.
  const leave = () => payload.destroy(new Error('The client disconnected'))
  signal?.addEventListener('abort', leave, { once: true })
  const options = { method, url, headers: { ...headers, ...length }, payload, remoteAddress }
  const reply = await app.inject({ ...options, payloadAsStream: true })
  const stream = reply.stream()
  // One client may make many requests, one after the other.
  stream.once('close', () => signal?.removeEventListener('abort', leave))
  return { status: reply.statusCode, headers: reply.headers, body: stream }
}

function streamOf(body: Buffer | string | undefined): Readable {
  const payload = new Readable({ read() {}, autoDestroy: false })
  if (body !== undefined) payload.push(body)
  payload.push(null)
  return payload
}
