import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { sendTagged } from '../http/etag.js'
import { answers } from '../schemas/common.js'
import { JoinGraphResponse } from '../schemas/lineage.js'
import { modelRoute } from './model-route.js'

/** The objects of a model and the joins between them. */
export function joinGraphRoutes(app: FastifyInstance, context: RestContext): void {
  const schema = { summary: 'The graph of joins', tags: ['discovery'], response: answers(200, JoinGraphResponse) }
  modelRoute(app, context, { path: '/join-graph', schema }, (handle, request, reply) =>
    sendTagged({ request, reply }, handle, () => context.service.joinGraph(handle.model)),
  )
}
