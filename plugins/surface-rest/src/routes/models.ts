import { Type } from '@grainline/core'
import { principalOf } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { describeModel, summarise } from '../describe/model.js'
import { sendTagged } from '../http/etag.js'
import { MODEL_BODY_LIMIT } from '../http/json-body.js'
import { sendLists } from '../http/send-lists.js'
import { shownSql } from '../http/shown-sql.js'
import { askerOf, modelOfPath } from '../http/target.js'
import { answers, ModelParams, problems, SessionParams } from '../schemas/common.js'
import { ModelDescription } from '../schemas/discovery.js'
import { ModelLoad, ModelLoaded, ModelSummary, PublishedModels } from '../schemas/models.js'

const tags = ['models']
type OfSession = { Params: { session_id: string } }
type OfModel = { Params: { session_id: string; model_id: string } }
type LoadBody = { Body: Parameters<RestContext['service']['loadModel']>[1] }

export function modelRoutes(app: FastifyInstance, { service }: RestContext): void {
  const load = {
    summary: 'Load a model',
    tags,
    params: SessionParams,
    body: ModelLoad,
    response: answers(201, ModelLoaded, 'Loaded'),
  }
  app.post<OfSession & LoadBody>(
    '/sessions/:session_id/models',
    { schema: load, bodyLimit: MODEL_BODY_LIMIT },
    async (request, reply) => {
      const { params, body } = request
      const loaded = await service.loadModel(params.session_id, { ...body, asker: askerOf(request) })
      const { warnings, health, modelLoad } = loaded
      return sendLists({ ...summarise(loaded), warnings, model_load: modelLoad, health }, reply.code(201))
    },
  )

  const list = {
    summary: 'List the models of a session',
    tags,
    params: SessionParams,
    response: answers(200, Type.Array(ModelSummary)),
  }
  app.get<OfSession>('/sessions/:session_id/models', { schema: list }, async (request) => {
    const { session_id: sessionId } = request.params
    await service.reach({ sessionId })
    return service.listModels(sessionId, principalOf(request)).map(summarise)
  })

  const show = { summary: 'Describe a model', tags, params: ModelParams, response: answers(200, ModelDescription) }
  app.get<OfModel>('/sessions/:session_id/models/:model_id', { schema: show }, async (request, reply) => {
    const handle = await modelOfPath(service, request.params, request)
    const verified = service.lastVerification(handle.model)?.checked_at ?? ''
    return sendTagged({ request, reply }, handle, () => describeModel(handle, service), verified)
  })

  const source = {
    summary: "A model's document as it was sent",
    tags,
    params: ModelParams,
    response: { 200: { description: 'OK', content: { 'text/plain': { schema: Type.String() } } }, ...problems },
  }
  app.get<OfModel>('/sessions/:session_id/models/:model_id/source', { schema: source }, async (request, reply) => {
    const handle = await modelOfPath(service, request.params, request)
    shownSql({ withheld: handle.model.restriction !== undefined })
    return reply.type('text/plain; charset=utf-8').send(handle.source)
  })

  const remove = {
    summary: 'Remove a model',
    tags,
    params: ModelParams,
    response: { 204: { description: 'Removed', type: 'null' }, ...problems },
  }
  app.delete<OfModel>('/sessions/:session_id/models/:model_id', { schema: remove }, async (request, reply) => {
    const { session_id: sessionId, model_id: modelId } = request.params
    await service.deleteModel(sessionId, modelId, principalOf(request))
    return reply.code(204).send()
  })

  const published = { summary: 'List the published models', tags, response: answers(200, PublishedModels) }
  app.get('/models', { schema: published }, async (request) => {
    const models = service.publishedModels(principalOf(request)).map((handle) => ({
      ...summarise(handle),
      name: handle.sessionId,
      session_id: handle.sessionId,
      description: handle.model.description,
    }))
    return { models, count: models.length }
  })
}
