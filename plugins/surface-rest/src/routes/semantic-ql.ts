import { GrainlineError, Type } from '@grainline/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Execution, RestContext, Service } from '../context.js'
import { compileResponse } from '../describe/answer.js'
import { AnswerUrl, answerOptionsOf } from '../http/answer-options.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { sendAnswer } from '../http/send-answer.js'
import { askerOf, clientGone, type Named, targetOf } from '../http/target.js'
import { answers, SessionParams } from '../schemas/common.js'
import { CompiledSql, SessionSql, ShortcutSql } from '../schemas/semantic-ql.js'
import { inEveryFormat } from './query-execute.js'
import { QueryUrl } from './query-url.js'

type Compiled = Awaited<ReturnType<Service['compileSql']>>
type Ran = Awaited<ReturnType<Service['executeSql']>>

const PATHS = ['/sessions/:session_id/query/semantic-ql', '/query/semantic-ql'] as const

/** Questions as statements: `SELECT fields FROM model`. */
export function semanticQlRoutes(app: FastifyInstance, context: RestContext): void {
  const { service } = context
  const compile = async (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now()
    const compiled = await service.compileSql(sqlRequestOf(request))
    reply.header('server-timing', `compile;dur=${(performance.now() - started).toFixed(2)}`)
    return { ...compileResponse(merged(compiled)), query: onlyLeaf(compiled).query }
  }
  const execute = async (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now()
    const options = answerOptionsOf(request)
    const execution = await service.executeSql(sqlRequestOf(request), { signal: clientGone(request, reply.raw) })
    reply.header('server-timing', `execute;dur=${(performance.now() - started).toFixed(2)}`)
    return sendAnswer(asExecution(execution), options, context, reply)
  }
  const [ofSession, shortcut] = PATHS
  const compiling = { summary: 'Compile a statement over models', tags: ['queries'], response: answers(200, CompiledSql) }
  const limit = { bodyLimit: BODY_LIMIT }
  app.post(`${ofSession}/compile`, { schema: { ...compiling, params: SessionParams, body: SessionSql }, ...limit }, compile)
  app.post(`${shortcut}/compile`, { schema: { ...compiling, querystring: QueryUrl, body: ShortcutSql }, ...limit }, compile)
  if (!service.executionEnabled) {
    refuseExecution(app)
    return
  }
  const running = { summary: 'Run a statement over models', tags: ['queries'], response: inEveryFormat }
  const url = Type.Object({ ...QueryUrl.properties, ...AnswerUrl.properties })
  const session = { ...running, params: SessionParams, querystring: AnswerUrl, body: SessionSql }
  app.post(ofSession, { schema: session, ...limit }, execute)
  app.post(shortcut, { schema: { ...running, querystring: url, body: ShortcutSql }, ...limit }, execute)
}

function sqlRequestOf(request: FastifyRequest): Parameters<Service['compileSql']>[0] {
  const body = request.body as Named & { readonly sql: string }
  const url = request.query as Named
  const target = targetOf(request.params as Named, body, url)
  return { asker: askerOf(request), target, sql: body.sql, dialect: body.dialect ?? url.dialect ?? undefined }
}

/** What a statement asked of a model; those about the models themselves have routes of their own. */
function onlyLeaf({ leaves }: Compiled): Compiled['leaves'][number]['compiled'] {
  const [leaf] = leaves
  if (leaf !== undefined) return leaf.compiled
  throw new GrainlineError('UNSUPPORTED_SQL_FEATURE', 'This statement asks no model', {
    hint: 'GET /v1/models and GET /v1/schema say what there is.',
  })
}

/** The compilation of the whole statement, in the shape of a query's. */
function merged(compiled: Compiled): Execution['compiled'] {
  const leaf = onlyLeaf(compiled)
  return { ...leaf, ...compiled, explain: compiled.explain ?? leaf.explain }
}

function asExecution({ compiled, ...execution }: Ran): Execution {
  return { ...execution, compiled: merged(compiled), mayBeCut: true }
}

/** The paths answer why they do not work; the OpenAPI document does not know them. */
function refuseExecution(app: FastifyInstance): void {
  for (const path of PATHS) {
    app.post(path, { schema: { hide: true } as object }, async () => {
      throw new GrainlineError('EXECUTION_DISABLED', 'Statements are not run here; QUERY_EXECUTE=true turns execution on')
    })
  }
}
