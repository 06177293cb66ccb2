import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { MODEL_BODY_LIMIT } from '../http/json-body.js'
import { sendLists } from '../http/send-lists.js'
import { askerOf } from '../http/target.js'
import { answers } from '../schemas/common.js'
import { Converted, ConvertRequest } from '../schemas/convert.js'

type Document = { Body: Parameters<RestContext['service']['convert']>[0] }

export function convertRoutes(app: FastifyInstance, { service }: RestContext): void {
  const summary = 'Write a model of another product as a model of this server, or the other way round'
  const schema = { summary, tags: ['models'], body: ConvertRequest, response: answers(200, Converted) }
  app.post<Document>('/convert', { schema, bodyLimit: MODEL_BODY_LIMIT }, async (request, reply) =>
    sendLists(await service.convert({ ...request.body, asker: askerOf(request) }), reply),
  )
}
