import { Type } from '@grainline/core'
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import type { ModelHandle, RestContext } from '../context.js'
import { modelOfPath, modelOfTarget, type Named, targetOf } from '../http/target.js'
import { ModelParams, nullable, strict, TargetQuery } from '../schemas/common.js'

interface Route {
  readonly path: string
  readonly schema: FastifySchema
  /** Of the body; the shortcut's may name its model beside them. */
  readonly fields: Type.TProperties
  readonly title: string
  readonly bodyLimit: number
}

const target = Type.Optional(nullable(Type.String()))

/** A POST about one model, under its session and as a shortcut. */
export function modelPost(
  app: FastifyInstance,
  { service }: RestContext,
  { path, schema, fields, title, bodyLimit }: Route,
  answer: (handle: ModelHandle, request: FastifyRequest) => unknown,
): void {
  const body = strict(fields, { title })
  app.post<{ Params: { session_id: string; model_id: string } }>(
    `/sessions/:session_id/models/:model_id${path}`,
    { schema: { ...schema, params: ModelParams, body }, bodyLimit },
    async (request) => answer(await modelOfPath(service, request.params), request),
  )
  const shortcut = strict({ session_id: target, model_id: target, model: target, ...fields }, { title: `Shortcut${title}` })
  app.post<{ Body: Named; Querystring: Named }>(
    path,
    { schema: { ...schema, querystring: TargetQuery, body: shortcut }, bodyLimit },
    async (request) => answer(await modelOfTarget(service, targetOf(request.body, request.query)), request),
  )
}
