import { Type } from '@grainline/core'
import { isOffered } from '@grainline/core/language'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { describeDimension, describeMeasure, describeMetric } from '../describe/fields.js'
import { describeSchema } from '../describe/model.js'
import { sendTagged } from '../http/etag.js'
import { answers } from '../schemas/common.js'
import { Dimension, Measure, Metric, Schema } from '../schemas/discovery.js'
import { JoinGraphResponse, LineageResponse } from '../schemas/lineage.js'
import { modelRoute } from './model-route.js'

/** The content of a model: each route exists for a session and as a shortcut. */
export function discoveryRoutes(app: FastifyInstance, context: RestContext): void {
  const { service } = context
  const route = (path: string, summary: string, answer: Type.TSchema, describe: Describe) =>
    modelRoute(
      app,
      context,
      { path, schema: { summary, tags: ['discovery'], response: answers(200, answer) } },
      (handle, request, reply) => sendTagged({ request, reply }, handle, () => describe(handle, request.params.name)),
    )

  route('/schema', 'The whole model', Schema, (handle) => describeSchema(handle, service))
  route('/dimensions', 'The dimensions', Type.Array(Dimension), ({ model }) =>
    [...model.dimensions.values()]
      .filter((dimension) => !dimension.hidden)
      .map((dimension) => describeDimension(dimension, model)),
  )
  route('/dimensions/:name', 'One dimension', Dimension, ({ model }, name) =>
    describeDimension(service.findDimension(model, name), model),
  )
  route('/measures', 'The measures', Type.Array(Measure), ({ model }) =>
    [...model.measures.values()].filter(isOffered).map((measure) => describeMeasure(measure, model, service)),
  )
  route('/measures/:name', 'One measure', Measure, ({ model }, name) =>
    describeMeasure(service.findMeasure(model, name), model, service),
  )
  route('/metrics', 'The metrics', Type.Array(Metric), async ({ model }) => {
    const types = await service.metricTypes(model)
    return [...model.metrics.values()].filter(isOffered).map((metric) => describeMetric(metric, model, types))
  })
  route('/metrics/:name', 'One metric', Metric, async ({ model }, name) => {
    const metric = service.findMetric(model, name)
    return describeMetric(metric, model, await service.metricTypes(model))
  })
}

type Describe = (handle: ReturnType<RestContext['service']['getModel']>, name: string) => unknown

/** The objects of a model and the joins between them. */
export function joinGraphRoutes(app: FastifyInstance, context: RestContext): void {
  const schema = { summary: 'The graph of joins', tags: ['discovery'], response: answers(200, JoinGraphResponse) }
  modelRoute(app, context, { path: '/join-graph', schema }, (handle, request, reply) =>
    sendTagged({ request, reply }, handle, () => context.service.joinGraph(handle.model)),
  )
}

/** The lineage of a field. */
export function lineageRoutes(app: FastifyInstance, context: RestContext): void {
  const schema = { summary: 'What a field is made of', tags: ['discovery'], response: answers(200, LineageResponse) }
  modelRoute(app, context, { path: '/explain/:name', schema }, (handle, request, reply) =>
    sendTagged({ request, reply }, handle, () => context.service.lineage(handle.model, request.params.name)),
  )
}
