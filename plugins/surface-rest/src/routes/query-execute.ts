import { GrainlineError, Type } from '@grainline/core'
import type { ResultFormat } from '@grainline/core/format'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RestContext } from '../context.js'
import { type AnswerQuery, AnswerUrl, answerOptionsOf } from '../http/answer-options.js'
import { compressAnswers } from '../http/compress.js'
import { HIDDEN } from '../http/hidden.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { sendAnswer } from '../http/send-answer.js'
import { type AskedRoute, compileRequestOf, optionsFor, wrapBareQuery } from '../http/target.js'
import { timed } from '../http/timing.js'
import { problems, QueryUrl, SessionParams } from '../schemas/common.js'
import { Executed, SessionQuery, ShortcutQuery } from '../schemas/queries.js'

type ExecuteRoute = AskedRoute<{ readonly query: unknown }, AnswerQuery>

export async function executeRoutes(parent: FastifyInstance, context: RestContext): Promise<void> {
  const { service } = context
  if (!service.executionEnabled) {
    refuseExecution(parent, ['/sessions/:session_id/query/execute', '/query/execute'])
    return
  }
  const shape = { summary: 'Run a query', tags: ['queries'], response: inEveryFormat(Executed, context.encodings) }
  const execute = async (request: FastifyRequest<ExecuteRoute>, reply: FastifyReply) => {
    const options = answerOptionsOf(request, context.encodings)
    const waiting = optionsFor(request, reply.raw, context.settings)
    const execution = await timed(reply, 'execute', () => service.execute(compileRequestOf(request), waiting))
    return sendAnswer(execution, options, context, reply)
  }
  await parent.register(async (app) => {
    compressAnswers(app)
    app.post<ExecuteRoute>(
      '/sessions/:session_id/query/execute',
      { schema: { ...shape, params: SessionParams, querystring: AnswerUrl, body: SessionQuery }, bodyLimit: BODY_LIMIT },
      execute,
    )
    const querystring = Type.Object({ ...QueryUrl.properties, ...AnswerUrl.properties })
    app.post<ExecuteRoute>(
      '/query/execute',
      { schema: { ...shape, querystring, body: ShortcutQuery }, bodyLimit: BODY_LIMIT, preValidation: wrapBareQuery },
      execute,
    )
  })
}

const binary = Type.Unsafe<string>({ type: 'string', format: 'binary' })
/** The response schema of rows in every format; `json` is the schema for JSON. */
export const inEveryFormat = (json: object, formats: readonly ResultFormat[]) => ({
  200: {
    description: 'The rows, in the requested format',
    content: {
      'application/json': { schema: json },
      ...Object.fromEntries(formats.map(({ mediaType }) => [mediaType.split(';')[0]!, { schema: binary }])),
    },
  },
  ...problems,
})

/** The paths answer with the reason why they are off. The OpenAPI document leaves them out. */
export function refuseExecution(app: FastifyInstance, paths: readonly string[]): void {
  const refuse = async () => {
    throw new GrainlineError('EXECUTION_DISABLED', 'Execution is off; QUERY_EXECUTE=true turns it on')
  }
  for (const path of paths) app.post(path, HIDDEN, refuse)
}
