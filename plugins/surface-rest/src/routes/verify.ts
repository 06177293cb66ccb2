import { GrainlineError } from '@grainline/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { QueryTarget, RestContext } from '../context.js'
import { HIDDEN } from '../http/hidden.js'
import { askerOf, type Named, optionsFor, targetOf } from '../http/target.js'
import { answers, ModelParams, TargetQuery } from '../schemas/common.js'
import { TableCheck, Verified } from '../schemas/verify.js'

const OF_MODEL = '/sessions/:session_id/models/:model_id/verify'
const SHORTCUT = '/verify'
const TABLES = '/tables'
type OfModel = { Params: { session_id: string; model_id: string } }

export function verifyRoutes(app: FastifyInstance, { service, settings }: RestContext): void {
  if (!service.executionEnabled) {
    refuseVerification(app)
    return
  }
  const shape = { summary: 'Prove a model against its data', tags: ['models'], response: answers(200, Verified) }
  const verify = (target: QueryTarget, request: FastifyRequest, reply: FastifyReply) => {
    const { signal, timeoutMs, timeoutSetting } = optionsFor(request, reply.raw, settings)
    return service.verify(target, { signal, timeoutMs, timeoutSetting, asker: askerOf(request) })
  }

  app.post<OfModel>(OF_MODEL, { schema: { ...shape, params: ModelParams } }, async (request, reply) =>
    verify(targetOf(request.params), request, reply),
  )
  app.post<{ Querystring: Named }>(SHORTCUT, { schema: { ...shape, querystring: TargetQuery } }, async (request, reply) =>
    verify(targetOf(request.query), request, reply),
  )

  const compared = {
    summary: 'Compare the tables of a model with the database',
    tags: ['models'],
    response: answers(200, TableCheck),
  }
  app.post<OfModel>(`${OF_MODEL}${TABLES}`, { schema: { ...compared, params: ModelParams } }, async (request) =>
    service.checkTables(targetOf(request.params), { asker: askerOf(request) }),
  )
  app.post<{ Querystring: Named }>(
    `${SHORTCUT}${TABLES}`,
    { schema: { ...compared, querystring: TargetQuery } },
    async (request) => service.checkTables(targetOf(request.query), { asker: askerOf(request) }),
  )
}

/** The paths answer with the reason why they are off. The OpenAPI document leaves them out. */
function refuseVerification(app: FastifyInstance): void {
  const refuse = async () => {
    throw new GrainlineError('EXECUTION_DISABLED', 'Execution is off; QUERY_EXECUTE=true turns it on')
  }
  const paths = [OF_MODEL, SHORTCUT].flatMap((path) => [path, `${path}${TABLES}`])
  for (const path of paths) app.post(path, HIDDEN, refuse)
}
