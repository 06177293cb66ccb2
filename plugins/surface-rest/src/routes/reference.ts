import { Type } from '@grainline/core'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { answers } from '../schemas/common.js'

/** The published JSON Schemas of the two languages. */
export function referenceRoutes(app: FastifyInstance, { service }: RestContext): void {
  const JsonSchema = Type.Record(Type.String(), Type.Unknown(), { title: 'JsonSchema' })
  const schema = (summary: string) => ({ summary, tags: ['reference'], response: answers(200, JsonSchema) })
  const schemas = service.jsonSchemas()
  app.get('/reference/schemas/model', { schema: schema('JSON Schema of a model document') }, async () => schemas.model)
  app.get('/reference/schemas/query', { schema: schema('JSON Schema of a query') }, async () => schemas.query)
}
