/** The standalone server's answer to a request that reaches no surface, in the form of every other error. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GrainlineError } from '../errors.js'
import { answerProblem as answer, plainAnswer } from './problem.js'
import { hasSeveralHosts } from './several-hosts.js'

/** For a URL that the router cannot read. */
export function answerUnroutable(error: { readonly code: string }, request: FastifyRequest, reply: FastifyReply): void {
  answer(ROUTER_ERRORS[error.code] ?? new GrainlineError('MALFORMED_REQUEST', 'The request cannot be routed'), request, reply)
}

/** For an HTTP/1.1 request that does not name one host: https://www.rfc-editor.org/rfc/rfc9112#section-3.2 */
export function refuseWithoutHost(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  const { httpVersion, headers } = request.raw
  if (headers.host === undefined && httpVersion === '1.1') answer(WITHOUT_HOST, request, reply)
  else if (hasSeveralHosts(request.raw)) answer(SEVERAL_HOSTS, request, reply)
  else next()
}

/** For an `Expect` other than `100-continue`. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  answerAndClose(EXPECTATION, response)
}

/** For a client that has `most` connections without a complete request. */
export function answerTooMany(most: number): RequestListener {
  const text = `This address has ${most} connections without a complete request`
  const refusal = new GrainlineError('TOO_MANY_CONNECTIONS', text)
  return (_request, response) => answerAndClose(refusal, response)
}

function answerAndClose(refusal: GrainlineError, response: ServerResponse): void {
  const { status, headers, body } = plainAnswer(refusal, randomUUID())
  response.writeHead(status, { ...headers, connection: 'close' }).end(body)
}

/** For bytes that Node cannot parse as a request: only a socket is available for the answer. */
export function answerUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(rawAnswer(PARSER_ERRORS[error.code ?? ''] ?? UNREADABLE))
  socket.destroy(error)
}

const ROUTER_ERRORS: Readonly<Record<string, GrainlineError>> = {
  FST_ERR_BAD_URL: new GrainlineError('MALFORMED_REQUEST', 'The path of the URL is not well percent-encoded'),
  FST_ERR_MAX_PARAM_LENGTH: new GrainlineError('HEADERS_TOO_LARGE', 'A part of the path is too long'),
}

const WITHOUT_HOST = new GrainlineError('MALFORMED_REQUEST', 'The request names no host')
const SEVERAL_HOSTS = new GrainlineError('MALFORMED_REQUEST', 'The request names several hosts')
const EXPECTATION = new GrainlineError('EXPECTATION_FAILED', "Of 'Expect' only '100-continue' can be met")
const UNREADABLE = new GrainlineError('MALFORMED_REQUEST', 'The request is not well-formed HTTP')
const PARSER_ERRORS: Readonly<Record<string, GrainlineError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new GrainlineError('REQUEST_TIMEOUT', 'The request did not arrive in time'),
  HPE_HEADER_OVERFLOW: new GrainlineError('HEADERS_TOO_LARGE', 'The URL and the headers are too long'),
}

function rawAnswer(refusal: GrainlineError): string {
  const { status, headers, body } = plainAnswer(refusal, randomUUID())
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}
