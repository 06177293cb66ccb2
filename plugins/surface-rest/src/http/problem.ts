/** Errors as `application/problem+json`. */
import { type ErrorCode, type Finding, GrainlineError } from '@grainline/core'
import { errorCatalog } from '@grainline/core/surface'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { shapeFindings } from './validation.js'

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly errors?: readonly Finding[]
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly request_id: string
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => sendProblem(error, request, reply))
}

/** Sends what the person who caused it may know; anything unexpected is logged and told by its request id only. */
export function sendProblem(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asRefusal(error, request)
  if (refusal.status >= 500) request.log.error({ err: error }, refusal.message)
  const { status, details } = refusal
  const retryAfter = details.context?.retry_after
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="grainline"')
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
  else if (status === 503) reply.header('retry-after', 1)
  // A string, because Fastify would serialise an object by the route's schema.
  return reply
    .code(status)
    .type('application/problem+json')
    .send(JSON.stringify(problemOf(refusal, request.id)))
}

function problemOf(error: GrainlineError, requestId: string): Problem {
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

function asRefusal(error: Error, request: FastifyRequest): GrainlineError {
  if (error instanceof GrainlineError) return error
  const { code, validation, statusCode } = error as Partial<FastifyError>
  if (validation) return shapeRefusal(validation, request)
  const known = FASTIFY_CODES[code ?? '']
  if (known) return new GrainlineError(known.code, known.message)
  if (statusCode === 400) return new GrainlineError('BAD_REQUEST', `The body is not well-formed JSON: ${error.message}`)
  return new GrainlineError('INTERNAL_ERROR', `Something went wrong here; the log knows it as request ${request.id}`)
}

const FASTIFY_CODES: Readonly<Record<string, { readonly code: ErrorCode; readonly message: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body must be sent as application/json' },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than this route takes' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'BAD_REQUEST', message: 'The body is not as long as Content-Length says' },
}

function shapeRefusal(validation: NonNullable<FastifyError['validation']>, request: FastifyRequest): GrainlineError {
  if (request.body === undefined && request.routeOptions.schema?.body && request.method !== 'GET') {
    return new GrainlineError('BAD_REQUEST', 'The request has no body; send JSON')
  }
  const findings = shapeFindings(validation as Parameters<typeof shapeFindings>[0], request.routeOptions.schema?.body)
  const detail = findings.map((finding) => finding.message).join('; ')
  return new GrainlineError('INVALID_REQUEST', detail || 'The request is of the wrong shape.', { findings })
}
