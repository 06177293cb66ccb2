import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RestContext } from '../context.js'
import { compileBody } from '../describe/compile-response.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { shownSql } from '../http/shown-sql.js'
import { compileRequestOf, type QuestionRoute, wrapBareQuery } from '../http/target.js'
import { timed } from '../http/timing.js'
import { answers, QueryUrl, SessionParams } from '../schemas/common.js'
import { Compiled, SessionQuery, ShortcutQuery } from '../schemas/queries.js'

export function sqlRoutes(app: FastifyInstance, { service }: RestContext): void {
  const shape = { summary: 'Compile a query to SQL', tags: ['queries'], response: answers(200, Compiled) }
  const compile = async (request: FastifyRequest<QuestionRoute>, reply: FastifyReply) => {
    const compiled = await timed(reply, 'compile', () => service.compile(compileRequestOf(request)))
    return reply.type('application/json; charset=utf-8').send(compileBody(shownSql(compiled)))
  }
  app.post<QuestionRoute>(
    '/sessions/:session_id/query/sql',
    { schema: { ...shape, params: SessionParams, body: SessionQuery }, bodyLimit: BODY_LIMIT },
    compile,
  )
  app.post<QuestionRoute>(
    '/query/sql',
    { schema: { ...shape, querystring: QueryUrl, body: ShortcutQuery }, bodyLimit: BODY_LIMIT, preValidation: wrapBareQuery },
    compile,
  )
}
