import { GrainlineError } from '@grainline/core'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'

/** Every error of these routes is answered in the form of OData (JSON 4.0, 21.1). An unexpected one is logged; its text stays here. */
export function answerODataErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => {
    const refusal = asRefusal(error, request.id)
    if (refusal.status >= 500) request.log.error({ err: error }, refusal.message)
    return sendError(refusal, request.id, reply)
  })
}

function sendError(
  { code, status, message, path, details }: GrainlineError,
  requestId: string,
  reply: FastifyReply,
): FastifyReply {
  const retryAfter = details.context?.retry_after
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
  reply.removeHeader('content-encoding')
  const findings = details.findings?.map((finding) => ({ code: finding.code, message: finding.message, target: finding.path }))
  const body = {
    error: {
      code,
      message: details.hint === undefined ? message : `${message}. ${details.hint}`,
      ...(path !== '' && { target: path }),
      ...(findings && { details: findings }),
      innererror: {
        ...(details.suggestions && { suggestions: details.suggestions }),
        request_id: requestId,
      },
    },
  }
  return reply.code(status).type('application/json; charset=utf-8').header('odata-version', '4.0').send(JSON.stringify(body))
}

function asRefusal(error: Error, requestId: string): GrainlineError {
  if (error instanceof GrainlineError) return error
  const { statusCode = 500 } = error as Partial<FastifyError>
  return statusCode < 500
    ? new GrainlineError('MALFORMED_REQUEST', `The request is not well-formed: ${error.message}`)
    : new GrainlineError('INTERNAL_ERROR', `Something went wrong here; the log knows it as request ${requestId}`)
}
