import { clientGone, principalOf } from '@grainline/core/surface'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CompileRequest, ModelHandle, QueryTarget, RestContext, Service } from '../context.js'

/** The fields in which a request may name a model; `null` counts as absent. */
export type Named = { readonly [K in 'session_id' | 'model_id' | 'model' | 'dialect']?: string | null | undefined }

/** The model that a request to a shortcut names, in its body or in its URL. */
export function targetOf(first: Named | undefined, second?: Named, third?: Named): QueryTarget {
  return {
    sessionId: first?.session_id ?? second?.session_id ?? third?.session_id ?? undefined,
    modelId: first?.model_id ?? second?.model_id ?? third?.model_id ?? undefined,
    model: first?.model ?? second?.model ?? third?.model ?? undefined,
  }
}

/** The parts of a request that may name its model. */
export interface AskedRoute<Body = unknown, Url = unknown> {
  Params: Named
  Body: Named & Body
  Querystring: Named & Url
}
export type QuestionRoute = AskedRoute<{ readonly query: unknown }>

/** The query of a request, to the session in its path or to the model that it names. */
export function compileRequestOf(request: FastifyRequest<QuestionRoute>): CompileRequest {
  const { params, body, query: url } = request
  const target = targetOf(params, body, url)
  return { asker: askerOf(request), target, query: body.query, dialect: body.dialect ?? url.dialect ?? undefined }
}

/** The client of a request, for metrics and the audit log. */
export function askerOf(request: FastifyRequest): NonNullable<CompileRequest['asker']> {
  return { principal: principalOf(request), surface: 'rest', requestId: request.id, address: request.ip }
}

/** Accepts a body that is the query itself, by wrapping it. */
export function wrapBareQuery(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { body } = request
  const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (isRecord && Object.hasOwn(body, 'select') && !Object.hasOwn(body, 'query')) request.body = { query: body }
  done()
}

/** Ends the work for a request when its client disconnects or its time limit passes. */
export const optionsFor = (request: FastifyRequest, response: FastifyReply['raw'], settings: RestContext['settings']): Waiting =>
  new Waiting(clientGone(request, response), settings.REST_QUERY_TIMEOUT_SECONDS * 1000)

/**
 * Creates the signal on first use: an answer from the cache needs none, and creating one takes longer than finding the answer. This is a class,
 * because V8 keeps the getter of an object literal, and with it the request, until a major garbage collection.
 */
class Waiting {
  readonly timeoutSetting = 'REST_QUERY_TIMEOUT_SECONDS'

  constructor(
    private readonly gone: () => AbortSignal,
    readonly timeoutMs: number,
  ) {}

  get signal(): AbortSignal {
    return this.gone()
  }
}

export interface ModelPath {
  readonly session_id: string
  readonly model_id: string
}

/** The model of a path, even if another worker holds its session. */
export async function modelOfPath(
  service: Service,
  { session_id: sessionId, model_id: modelId }: ModelPath,
  request: FastifyRequest,
): Promise<ModelHandle> {
  await service.reach({ sessionId })
  return service.getModel(sessionId, modelId, principalOf(request))
}

/** The model of a shortcut, even if another worker holds its session. */
export async function modelOfTarget(service: Service, target: QueryTarget, request: FastifyRequest): Promise<ModelHandle> {
  await service.reach(target)
  return service.resolveModel(target, principalOf(request))
}
