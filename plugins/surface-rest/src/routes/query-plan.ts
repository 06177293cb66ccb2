import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RestContext } from '../context.js'
import { planResponse } from '../describe/plan-response.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { shownSql } from '../http/shown-sql.js'
import { type AskedRoute, askerOf, compileRequestOf, wrapBareQuery } from '../http/target.js'
import { timed } from '../http/timing.js'
import { answers, QueryUrl, SessionParams } from '../schemas/common.js'
import { Plan, SessionPlan, ShortcutPlan } from '../schemas/queries.js'

type PlanRoute = AskedRoute<{ readonly query: unknown; readonly include_database_explain?: boolean }>

export function planRoutes(app: FastifyInstance, { service }: RestContext): void {
  const shape = { summary: 'How a query would be answered; never runs it', tags: ['queries'], response: answers(200, Plan) }
  const plan = async (request: FastifyRequest<PlanRoute>) => {
    const compiled = shownSql(await service.compile(compileRequestOf(request)))
    const wanted = request.body.include_database_explain === true
    const explained = wanted ? await service.explainInDatabase(compiled, askerOf(request)) : undefined
    return planResponse(compiled, explained)
  }
  const answer = (request: FastifyRequest<PlanRoute>, reply: FastifyReply) => timed(reply, 'plan', () => plan(request))
  app.post<PlanRoute>(
    '/sessions/:session_id/query/plan',
    { schema: { ...shape, params: SessionParams, body: SessionPlan }, bodyLimit: BODY_LIMIT },
    answer,
  )
  app.post<PlanRoute>(
    '/query/plan',
    { schema: { ...shape, querystring: QueryUrl, body: ShortcutPlan }, bodyLimit: BODY_LIMIT, preValidation: wrapBareQuery },
    answer,
  )
}
