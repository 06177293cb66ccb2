import { Type } from '@grainline/core'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { modelOfTarget, targetOf } from '../http/target.js'
import { answers, nullable, strict } from '../schemas/common.js'
import { ModelDiff } from '../schemas/diff.js'
import { modelPost } from './model-post.js'

const text = Type.Optional(nullable(Type.String()))
const fields = {
  with: strict({ session_id: text, model_id: text, model: text }, { description: 'The later model.' }),
}

/** The changes from one model to another. */
export function diffRoutes(app: FastifyInstance, context: RestContext): void {
  const { service } = context
  const schema = { summary: 'What changed from this model to another', tags: ['models'], response: answers(200, ModelDiff) }
  const route = { path: '/diff', schema, fields, title: 'DiffRequest', bodyLimit: BODY_LIMIT }
  modelPost(app, context, route, async ({ model }, { with: other }, request) =>
    service.diff(model, (await modelOfTarget(service, targetOf(other), request)).model),
  )
}
