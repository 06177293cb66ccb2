import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { MODEL_BODY_LIMIT } from '../http/json-body.js'
import { sendLists } from '../http/send-lists.js'
import { askerOf } from '../http/target.js'
import { answers, SessionParams } from '../schemas/common.js'
import { ModelValidate, ValidateResult } from '../schemas/models.js'

type Document = { Body: Parameters<RestContext['service']['validate']>[0] }

export function validateRoutes(app: FastifyInstance, { service }: RestContext): void {
  const shape = { tags: ['models'], body: ModelValidate, response: answers(200, ValidateResult) }
  const options = (summary: string, more = {}) => ({ schema: { summary, ...shape, ...more }, bodyLimit: MODEL_BODY_LIMIT })

  app.post<Document>('/validate', options('Validate a model'), async (request, reply) =>
    sendLists(await service.validate({ ...request.body, asker: askerOf(request) }), reply),
  )

  app.post<Document & { Params: { session_id: string } }>(
    '/sessions/:session_id/validate',
    options('Validate a model that may inherit from one of the session', { params: SessionParams }),
    async (request, reply) =>
      sendLists(await service.validate({ ...request.body, asker: askerOf(request) }, request.params.session_id), reply),
  )
}
