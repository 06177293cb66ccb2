import { GrainlineError } from '@grainline/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RestContext, RowsRequest } from '../context.js'
import { rowsResponse } from '../describe/rows-behind.js'
import { type AnswerQuery, AnswerUrl, answerOptionsOf } from '../http/answer-options.js'
import { compressAnswers } from '../http/compress.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { sendAnswer, sendPieces } from '../http/send-answer.js'
import { type AskedRoute, compileRequestOf, optionsFor } from '../http/target.js'
import { timed } from '../http/timing.js'
import { SessionParams } from '../schemas/common.js'
import { RowsBehind, SessionRows, ShortcutRows } from '../schemas/rows-behind.js'
import { inEveryFormat, refuseExecution } from './query-execute.js'

type RowsRoute = AskedRoute<Pick<RowsRequest, 'query' | 'cell' | 'measure' | 'columns' | 'limit'>, AnswerQuery>

const PATHS = ['/sessions/:session_id/query/rows', '/query/rows'] as const

/** The rows from which a value of an answer was computed. */
export async function rowsRoutes(parent: FastifyInstance, context: RestContext): Promise<void> {
  const { service } = context
  if (!service.executionEnabled) {
    refuseExecution(parent, PATHS)
    return
  }
  const shape = {
    summary: 'The rows behind a cell of an answer',
    tags: ['queries'],
    response: inEveryFormat(RowsBehind, context.encodings),
  }
  const rows = async (request: FastifyRequest<RowsRoute>, reply: FastifyReply) => {
    const options = answerOptionsOf(request, context.encodings)
    const { cell, measure, columns, limit } = request.body
    const asked = { ...compileRequestOf(request), cell, measure, columns, limit }
    const behind = await timed(reply, 'rows', () => service.rowsBehind(asked, optionsFor(request, reply.raw, context.settings)))
    if (!options.format) return sendPieces(rowsResponse(asked, behind), reply)
    const [fact, ...others] = behind.facts
    if (!fact || others.length > 0) return refuseSeveral(measure, behind.facts)
    return sendAnswer(await fact.rows(), options, context, reply)
  }
  await parent.register(async (app) => {
    compressAnswers(app)
    const [inSession, shortcut] = PATHS
    const common = { ...shape, querystring: AnswerUrl }
    app.post<RowsRoute>(
      inSession,
      { schema: { ...common, params: SessionParams, body: SessionRows }, bodyLimit: BODY_LIMIT },
      rows,
    )
    app.post<RowsRoute>(shortcut, { schema: { ...common, body: ShortcutRows }, bodyLimit: BODY_LIMIT }, rows)
  })
}

function refuseSeveral(measure: string, facts: readonly { readonly measure: string }[]): never {
  const names = facts.map((fact) => fact.measure)
  throw new GrainlineError(
    'INVALID_REQUEST',
    `'${measure}' is computed from ${names.map((name) => `'${name}'`).join(' and ')}, whose rows differ; this format has room for the rows of one`,
    { path: 'measure', hint: `Ask for the rows of one of them, or for JSON.`, suggestions: names },
  )
}
