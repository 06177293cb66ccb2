import { Type } from '@grainline/core'
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import type { ModelHandle, RestContext } from '../context.js'
import { modelOfPath, modelOfTarget, type Named, targetOf } from '../http/target.js'
import { ModelParams, nullable, strict, TargetQuery } from '../schemas/common.js'

interface Route<Fields extends Type.TProperties> {
  readonly path: string
  readonly schema: FastifySchema
  /** The fields of the body. The body of a shortcut may also name the model. */
  readonly fields: Fields
  readonly title: string
  readonly bodyLimit: number
}

const target = Type.Optional(nullable(Type.String()))

/** Registers a POST for one model, for a session and as a shortcut. */
export function modelPost<Fields extends Type.TProperties>(
  app: FastifyInstance,
  { service }: RestContext,
  { path, schema, fields, title, bodyLimit }: Route<Fields>,
  answer: (handle: ModelHandle, body: Type.Static<Type.TObject<Fields>>, request: FastifyRequest) => unknown,
): void {
  const body = strict(fields, { title })
  // The schema of the route has validated the body.
  const checked = (body: unknown) => body as Type.Static<Type.TObject<Fields>>
  app.post<{ Params: { session_id: string; model_id: string } }>(
    `/sessions/:session_id/models/:model_id${path}`,
    { schema: { ...schema, params: ModelParams, body }, bodyLimit },
    async (request) => answer(await modelOfPath(service, request.params, request), checked(request.body), request),
  )
  const shortcut = strict({ session_id: target, model_id: target, model: target, ...fields }, { title: `Shortcut${title}` })
  app.post<{ Body: Named; Querystring: Named }>(
    path,
    { schema: { ...schema, querystring: TargetQuery, body: shortcut }, bodyLimit },
    async (request) =>
      answer(await modelOfTarget(service, targetOf(request.body, request.query), request), checked(request.body), request),
  )
}
