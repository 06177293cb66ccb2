import { GrainlineError } from '@grainline/core'
import { errorCatalog } from '@grainline/core/surface'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Refusals of the page's own server, in the shape that the API gives to its own. */
export function sendProblem(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asRefusal(error, request)
  if (refusal.status >= 500) request.log.error({ err: error }, refusal.message)
  const { code, status, message, details } = refusal
  const { meaning, fix } = errorCatalog[code]
  const hint = details.hint ?? fix
  const problem = {
    type: `urn:grainline:error:${code}`,
    title: meaning,
    status,
    detail: message,
    code,
    hint,
    request_id: request.id,
  }
  return reply.code(status).type('application/problem+json').send(JSON.stringify(problem))
}

function asRefusal(error: Error, request: FastifyRequest): GrainlineError {
  if (error instanceof GrainlineError) return error
  const { code, statusCode } = error as { readonly code?: string; readonly statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new GrainlineError('PAYLOAD_TOO_LARGE', 'The body is larger than 32 MiB, which is as much as the API takes')
  if (statusCode !== undefined && statusCode < 500) return new GrainlineError('BAD_REQUEST', error.message)
  return new GrainlineError('INTERNAL_ERROR', `Something went wrong here; the log knows it as request ${request.id}`)
}
