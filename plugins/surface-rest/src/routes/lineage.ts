import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { sendTagged } from '../http/etag.js'
import { answers } from '../schemas/common.js'
import { LineageResponse } from '../schemas/lineage.js'
import { modelRoute } from './model-route.js'

/** What a field is made of. */
export function lineageRoutes(app: FastifyInstance, context: RestContext): void {
  const schema = { summary: 'What a field is made of', tags: ['discovery'], response: answers(200, LineageResponse) }
  modelRoute(app, context, { path: '/explain/:name', schema }, (handle, request, reply) =>
    sendTagged({ request, reply }, handle, () =>
      context.service.lineage(handle.model, (request.params as { name: string }).name),
    ),
  )
}
