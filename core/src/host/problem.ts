/** Errors as `application/problem+json` (RFC 9457), the same on every HTTP surface. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorCatalog } from '../error-catalog.js'
import { type ErrorCode, type Finding, GrainlineError } from '../errors.js'

export const PROBLEM = 'application/problem+json'

/** The body of an error. `code` is from the catalogue of errors; `errors` has a path for each fault. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly errors?: readonly Finding[]
  readonly hint: string
  readonly suggestions?: readonly string[]
  readonly request_id: string
}

/** The findings of a surface about a body that its schema refuses. */
export type ReadShape = (validation: NonNullable<FastifyError['validation']>, request: FastifyRequest) => GrainlineError

/** Every error of the routes of `app` is answered as a problem. An unexpected error is logged, and the client gets only its request id. */
export function answerErrors(app: FastifyInstance, readShape: ReadShape = shapeAsItIs): void {
  app.setErrorHandler((error: Error, request, reply) => {
    // Its body ended too early: nobody reads the answer.
    if (request.raw.socket.destroyed) return reply.hijack()
    const refusal = asRefusal(error, request, readShape)
    if (refusal.status >= 500) request.log.error({ err: error }, refusal.message)
    return sendProblem(refusal, request, reply)
  })
}

/**
 * For a scope around those of `answerErrors`: answers if their answers cannot be sent either, because a hook of a plugin fails for each answer, or
 * because a header is invalid. Fastify would answer with the message of the error. No hook sees this answer.
 */
export function answerFailedAnswers(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => {
    request.log.error({ err: error }, 'The answer could not be sent; the client gets an error instead')
    const { status, body, headers } = plainAnswer(asRefusal(error, request, shapeAsItIs), request.id)
    reply.hijack()
    if (reply.raw.headersSent) reply.raw.destroy()
    else reply.raw.writeHead(status, headers).end(body)
  })
}

/** The status, the headers and the body of an error. */
export function plainAnswer(refusal: GrainlineError, requestId: string) {
  const body = JSON.stringify(problemOf(refusal, requestId))
  const headers = { 'content-type': PROBLEM, 'content-length': Buffer.byteLength(body), 'x-request-id': requestId }
  return { status: refusal.status, headers, body }
}

/** For errors before a surface is reached. */
export function answerProblem(refusal: GrainlineError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Not the message, which may repeat a path.
  request.log.info({ code: refusal.code, status: refusal.status }, `Refused: ${refusal.code}`)
  return sendProblem(refusal, request, reply.header('x-request-id', request.id))
}

/** Answers with the status, the headers and the body of an error. */
export function sendProblem(refusal: GrainlineError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, details } = refusal
  const retryAfter = details.context?.retry_after
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="grainline"')
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
  else if (status === 503) reply.header('retry-after', 1)
  // Rows that failed before their first compressed byte have left it.
  reply.removeHeader('content-encoding')
  // A string, because Fastify would serialise an object by the route's schema.
  return reply
    .code(status)
    .type(PROBLEM)
    .send(JSON.stringify(problemOf(refusal, request.id)))
}

export function problemOf(error: GrainlineError, requestId: string): Problem {
  const { code, status, message, path, details } = error
  const { meaning, fix } = errorCatalog[code]
  const errors = details.findings ?? (status === 422 || path !== '' || details.context ? [error.toFinding()] : undefined)
  return {
    type: `urn:grainline:error:${code}`,
    title: meaning,
    status,
    detail: message,
    code,
    ...(errors && { errors }),
    hint: details.hint ?? fix,
    ...(details.suggestions && details.suggestions.length > 0 && { suggestions: details.suggestions }),
    request_id: requestId,
  }
}

function asRefusal(error: Error, request: FastifyRequest, readShape: ReadShape): GrainlineError {
  if (error instanceof GrainlineError) return error
  const { code, validation, statusCode } = error as Partial<FastifyError>
  if (validation) return readShape(validation, request)
  const known = FASTIFY_CODES[code ?? '']
  if (known) return new GrainlineError(known.code, known.message)
  if (statusCode === 400) return new GrainlineError('BAD_REQUEST', `The body is not well-formed JSON: ${error.message}`)
  return new GrainlineError('INTERNAL_ERROR', `Something went wrong here; the log knows it as request ${request.id}`)
}

const shapeAsItIs: ReadShape = (validation) =>
  new GrainlineError('INVALID_REQUEST', validation.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; '))

const FASTIFY_CODES: Readonly<Record<string, { readonly code: ErrorCode; readonly message: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body must be sent as application/json' },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than this route takes' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'BAD_REQUEST', message: 'The body is not as long as Content-Length says' },
}
