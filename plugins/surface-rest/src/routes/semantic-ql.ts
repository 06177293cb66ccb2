import { Type } from '@grainline/core'
import { jsonColumns } from '@grainline/core/format'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RestContext, SqlRequest } from '../context.js'
import { statementResponse } from '../describe/statement-response.js'
import { type AnswerQuery, AnswerUrl, answerOptionsOf } from '../http/answer-options.js'
import { compressAnswers } from '../http/compress.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { sendAnswer } from '../http/send-answer.js'
import { shownSql } from '../http/shown-sql.js'
import { type AskedRoute, askerOf, optionsFor, targetOf } from '../http/target.js'
import { timed } from '../http/timing.js'
import { answers, QueryUrl, SessionParams } from '../schemas/common.js'
import { CompiledStatement, ExecutedStatement, SessionStatement, ShortcutStatement } from '../schemas/semantic-ql.js'
import { inEveryFormat, refuseExecution } from './query-execute.js'

const IN_SESSION = '/sessions/:session_id/query/semantic-ql'
const SHORTCUT = '/query/semantic-ql'

/** SQL over the models of a session, or over all models. */
export async function semanticQlRoutes(parent: FastifyInstance, context: RestContext): Promise<void> {
  compileRoutes(parent, context)
  const { service } = context
  if (!service.executionEnabled) {
    refuseExecution(parent, [IN_SESSION, SHORTCUT])
    return
  }
  const shape = {
    summary: 'Run a statement of semantic QL',
    tags: ['queries'],
    response: inEveryFormat(ExecutedStatement, context.encodings),
  }
  const execute = async (request: FastifyRequest<StatementRoute>, reply: FastifyReply) => {
    const options = answerOptionsOf(request, context.encodings)
    const waiting = optionsFor(request, reply.raw, context.settings)
    const execution = await timed(reply, 'execute', () => service.executeSql(statementOf(request), waiting))
    return sendAnswer(execution, options, context, reply)
  }
  await parent.register(async (app) => {
    compressAnswers(app)
    const inSession = { ...shape, params: SessionParams, querystring: AnswerUrl, body: SessionStatement }
    app.post<StatementRoute>(IN_SESSION, { schema: inSession, bodyLimit: BODY_LIMIT }, execute)
    const querystring = Type.Object({ ...QueryUrl.properties, ...AnswerUrl.properties })
    app.post<StatementRoute>(
      SHORTCUT,
      { schema: { ...shape, querystring, body: ShortcutStatement }, bodyLimit: BODY_LIMIT },
      execute,
    )
  })
}

function compileRoutes(app: FastifyInstance, { service }: RestContext): void {
  const shape = { summary: 'Compile a statement of semantic QL', tags: ['queries'], response: answers(200, CompiledStatement) }
  const compile = async (request: FastifyRequest<StatementRoute>, reply: FastifyReply) => {
    const compiled = shownSql(await timed(reply, 'compile', () => service.compileSql(statementOf(request))))
    return { ...statementResponse(compiled), columns: jsonColumns(compiled.columns) }
  }
  const inSession = { ...shape, params: SessionParams, body: SessionStatement }
  app.post<StatementRoute>(`${IN_SESSION}/compile`, { schema: inSession, bodyLimit: BODY_LIMIT }, compile)
  app.post<StatementRoute>(
    `${SHORTCUT}/compile`,
    { schema: { ...shape, querystring: QueryUrl, body: ShortcutStatement }, bodyLimit: BODY_LIMIT },
    compile,
  )
}

type StatementRoute = AskedRoute<
  {
    readonly sql: string
    readonly language?: string | null
    readonly parameters?: readonly (string | number | boolean | null)[] | null
    readonly model_parameters?: SqlRequest['modelParameters'] | null
    readonly rollups?: SqlRequest['rollups'] | null
  },
  AnswerQuery
>

function statementOf(request: FastifyRequest<StatementRoute>): SqlRequest {
  const { params, body, query: url } = request
  return {
    asker: askerOf(request),
    target: targetOf(params, body, url),
    sql: body.sql,
    language: body.language ?? undefined,
    parameters: body.parameters?.map((value) => ({ value })),
    modelParameters: body.model_parameters ?? undefined,
    rollups: body.rollups ?? undefined,
    dialect: body.dialect ?? url.dialect ?? undefined,
  }
}
