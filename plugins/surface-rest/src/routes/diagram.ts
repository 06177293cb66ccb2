import { Type } from '@grainline/core'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { sendTagged } from '../http/etag.js'
import { answers } from '../schemas/common.js'
import { DiagramResponse } from '../schemas/lineage.js'
import { modelRoute } from './model-route.js'

const THEMES = ['default', 'neutral', 'dark', 'forest', 'base'] as const
const Url = {
  show_columns: Type.Optional(Type.Boolean({ default: true })),
  theme: Type.Optional(Type.Unsafe<(typeof THEMES)[number]>({ type: 'string', enum: [...THEMES], default: 'default' })),
}

/** The diagram of a model. */
export function diagramRoutes(app: FastifyInstance, context: RestContext): void {
  const schema = { summary: 'The entity-relationship diagram', tags: ['discovery'], response: answers(200, DiagramResponse) }
  modelRoute(app, context, { path: '/diagram/er', schema, url: Url }, (handle, request, reply) => {
    const { show_columns: showColumns = true, theme = 'default' } = request.query
    return sendTagged({ request, reply }, handle, () => ({
      mermaid: context.service.erDiagram(handle.model, { showColumns, theme }),
    }))
  })
}
