import { Readable } from 'node:stream'
import { GrainlineError } from '@grainline/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RestContext } from '../context.js'
import { executeResponse } from '../describe/answer.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { clientGone, compileRequestOf, wrapBareQuery } from '../http/target.js'
import { answers, SessionParams } from '../schemas/common.js'
import { Executed, SessionQuery, ShortcutQuery } from '../schemas/queries.js'
import { QueryUrl } from './query-url.js'

export function executeRoutes(app: FastifyInstance, { service }: RestContext): void {
  if (!service.executionEnabled) {
    refuseExecution(app)
    return
  }
  const shape = { summary: 'Run a query', tags: ['queries'], response: answers(200, Executed) }
  const execute = async (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now()
    const execution = await service.execute(compileRequestOf(request), { signal: clientGone(request, reply.raw) })
    reply.header('server-timing', `execute;dur=${(performance.now() - started).toFixed(2)}`)
    return reply.type('application/json; charset=utf-8').send(Readable.from(executeResponse(execution), { objectMode: false }))
  }
  app.post(
    '/sessions/:session_id/query/execute',
    { schema: { ...shape, params: SessionParams, body: SessionQuery }, bodyLimit: BODY_LIMIT },
    execute,
  )
  app.post(
    '/query/execute',
    { schema: { ...shape, querystring: QueryUrl, body: ShortcutQuery }, bodyLimit: BODY_LIMIT, preValidation: wrapBareQuery },
    execute,
  )
}

/** The paths answer why they do not work; the OpenAPI document does not know them. */
function refuseExecution(app: FastifyInstance): void {
  const refuse = async () => {
    throw new GrainlineError('EXECUTION_DISABLED', 'Queries are not run here; QUERY_EXECUTE=true turns execution on')
  }
  for (const path of ['/sessions/:session_id/query/execute', '/query/execute']) {
    app.post(path, { schema: { hide: true } as object }, refuse)
  }
}
