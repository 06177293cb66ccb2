import { Type } from '@grainline/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RestContext } from '../context.js'
import { sendTagged } from '../http/etag.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { type AskedRoute, askerOf, targetOf, wrapBareQuery } from '../http/target.js'
import { answers, ModelParams, TargetQuery } from '../schemas/common.js'
import { ComposablesRequest, ComposablesResponse, ShortcutComposables } from '../schemas/composables.js'
import { modelRoute } from './model-route.js'

type Asked = Omit<Parameters<RestContext['service']['composables']>[0], 'target'>
type ComposeRoute = AskedRoute<{ readonly [K in keyof Asked]: Asked[K] | null }>

/** The fields that can be added to a query. */
export function composableRoutes(app: FastifyInstance, context: RestContext): void {
  const { service } = context
  const schema = { summary: 'What can still be added', tags: ['discovery'], response: answers(200, ComposablesResponse) }
  const url = {
    anchors: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 100 })], { description: 'Repeat it for several values.' }),
    ),
    dialect: Type.Optional(Type.String()),
  }
  modelRoute(app, context, { path: '/composables', schema, url }, async (handle, request, reply) => {
    const { anchors = [], dialect } = request.query
    const { sessionId, modelId } = handle
    const found = await service.composables({
      asker: askerOf(request),
      target: { sessionId, modelId },
      anchors: [anchors].flat(),
      dialect,
    })
    return sendTagged({ request, reply }, handle, () => found)
  })

  const compose = async (request: FastifyRequest<ComposeRoute>, reply: FastifyReply) => {
    const started = performance.now()
    const { anchors, query, dialect } = request.body
    const target = targetOf(request.params, request.body, request.query)
    const found = await service.composables({
      asker: askerOf(request),
      target,
      anchors: anchors ?? [],
      query,
      dialect: dialect ?? undefined,
    })
    reply.header('server-timing', `compose;dur=${(performance.now() - started).toFixed(2)}`)
    return found
  }
  const options = { bodyLimit: BODY_LIMIT, preValidation: wrapBareQuery }
  app.post<ComposeRoute>(
    '/sessions/:session_id/models/:model_id/composables',
    { schema: { ...schema, params: ModelParams, body: ComposablesRequest }, ...options },
    compose,
  )
  app.post<ComposeRoute>(
    '/composables',
    { schema: { ...schema, querystring: TargetQuery, body: ShortcutComposables }, ...options },
    compose,
  )
}
