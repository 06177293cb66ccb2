import { Type } from '@grainline/core'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { answers, strings } from '../schemas/common.js'

const DialectList = Type.Object(
  {
    dialects: Type.Array(
      Type.Object({
        name: Type.String(),
        capabilities: Type.Record(Type.String(), Type.Boolean()),
        supported_aggregations: strings,
        supported_functions: strings,
      }),
    ),
  },
  { title: 'DialectList' },
)

export function dialectRoutes(app: FastifyInstance, { service }: RestContext): void {
  const schema = { summary: 'List the dialects', tags: ['service'], response: answers(200, DialectList) }
  app.get('/dialects', { schema }, async () => ({
    dialects: service.dialects().map((dialect) => {
      const { aggregations, functions } = service.supportedBy(dialect)
      return {
        name: dialect.name,
        capabilities: dialect.capabilities,
        supported_aggregations: aggregations,
        supported_functions: functions,
      }
    }),
  }))
}
