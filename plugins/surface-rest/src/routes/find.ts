import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ModelHandle, RestContext } from '../context.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { answers } from '../schemas/common.js'
import { FindResponse, find } from '../schemas/find.js'
import { modelPost } from './model-post.js'

type Kinds = Parameters<RestContext['service']['findFields']>[2]

/** Fields that a text may mean. */
export function findRoutes(app: FastifyInstance, context: RestContext): void {
  const schema = { summary: 'Find fields by what they are called', tags: ['discovery'], response: answers(200, FindResponse) }
  const answer = ({ model }: ModelHandle, { body }: FastifyRequest) => {
    const { query, types } = body as { readonly query: string; readonly types?: Kinds | null }
    return { query, ...context.service.findFields(model, query, types ?? undefined) }
  }
  modelPost(app, context, { path: '/find', schema, fields: find, title: 'FindRequest', bodyLimit: BODY_LIMIT }, answer)
}
