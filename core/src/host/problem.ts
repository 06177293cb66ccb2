/** A refusal as `application/problem+json` (RFC 9457), for what is answered before a surface has a say. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorCatalog } from '../error-catalog.js'
import type { GrainlineError } from '../errors.js'

export const PROBLEM = 'application/problem+json'

export function answerProblem(refusal: GrainlineError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Not the message, which may repeat a path.
  request.log.info({ code: refusal.code, status: refusal.status }, `Refused: ${refusal.code}`)
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer realm="grainline"')
  return reply
    .code(refusal.status)
    .headers({ 'x-request-id': request.id, 'content-type': PROBLEM })
    .send(JSON.stringify(problemOf(refusal, request.id)))
}

export function problemOf({ code, status, message, details }: GrainlineError, requestId: string) {
  const { meaning, fix } = errorCatalog[code]
  return {
    type: `urn:grainline:error:${code}`,
    title: meaning,
    status,
    detail: message,
    code,
    hint: details.hint ?? fix,
    request_id: requestId,
  }
}
