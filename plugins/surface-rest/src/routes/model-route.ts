import { Type } from '@grainline/core'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { ModelHandle, RestContext } from '../context.js'
import { type ModelPath, modelOfPath, modelOfTarget, type Named, targetOf } from '../http/target.js'
import { ModelParams, TargetQuery } from '../schemas/common.js'

/** The request of such a route. `name` is present if the path contains it. */
type Asked<Url extends Type.TProperties> = FastifyRequest<{
  Params: { name: string }
  Querystring: Type.Static<Type.TObject<Url>>
}>
type Answer<Url extends Type.TProperties> = (handle: ModelHandle, request: Asked<Url>, reply: FastifyReply) => unknown
interface Route<Url extends Type.TProperties> {
  /** The path after `…/models/{model_id}`, or after `/v1` for the shortcut. */
  readonly path: string
  readonly schema: FastifySchema
  /** Its URL parameters besides the model. */
  readonly url?: Url
}

/** Registers a GET for one model, for a session and as a shortcut. */
export function modelRoute<Url extends Type.TProperties = Record<never, never>>(
  app: FastifyInstance,
  { service }: RestContext,
  { path, schema, url }: Route<Url>,
  answer: Answer<Url>,
): void {
  const name = path.includes(':name') ? { name: Type.String() } : {}
  const own = url !== undefined && { querystring: Type.Object(url) }
  // The schemas of both routes have validated the request.
  const checked = (request: unknown): Asked<Url> => request as Asked<Url>
  app.get<{ Params: ModelPath }>(
    `/sessions/:session_id/models/:model_id${path}`,
    { schema: { ...schema, ...own, params: Type.Object({ ...ModelParams.properties, ...name }) } },
    async (request, reply) => answer(await modelOfPath(service, request.params, request), checked(request), reply),
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
    async (request, reply) => answer(await modelOfTarget(service, targetOf(request.query), request), checked(request), reply),
  )
}
