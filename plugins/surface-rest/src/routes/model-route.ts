import { Type } from '@grainline/core'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { ModelHandle, RestContext } from '../context.js'
import { modelOfPath, modelOfTarget, type Named, targetOf } from '../http/target.js'
import { ModelParams, TargetQuery } from '../schemas/common.js'

type Answer = (handle: ModelHandle, request: FastifyRequest, reply: FastifyReply) => unknown
interface Route {
  /** The path after `…/models/{model_id}`, and after `/v1` as a shortcut. */
  readonly path: string
  readonly schema: FastifySchema
  /** Its query parameters, besides the model. */
  readonly url?: Type.TProperties
}

/** A GET about one model, under its session and as a shortcut. */
export function modelRoute(
  app: FastifyInstance,
  { service }: RestContext,
  { path, schema, url = {} }: Route,
  answer: Answer,
): void {
  const name = path.includes(':name') ? { name: Type.String() } : {}
  const own = Object.keys(url).length > 0 && { querystring: Type.Object(url) }
  app.get<{ Params: { session_id: string; model_id: string } }>(
    `/sessions/:session_id/models/:model_id${path}`,
    { schema: { ...schema, ...own, params: Type.Object({ ...ModelParams.properties, ...name }) } },
    async (request, reply) => answer(await modelOfPath(service, request.params), request, reply),
  )
  app.get<{ Querystring: Named }>(
    path,
    {
      schema: {
        ...schema,
        querystring: Type.Object({ ...TargetQuery.properties, ...url }),
        ...(path.includes(':name') && { params: Type.Object(name) }),
      },
    },
    async (request, reply) => answer(await modelOfTarget(service, targetOf(request.query)), request, reply),
  )
}
