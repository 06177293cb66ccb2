import { Type } from '@grainline/core'
import { clientIp, principalOf } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { answers, problems, SessionParams, strict } from '../schemas/common.js'

const tags = ['sessions']
type OfSession = { Params: { session_id: string } }

export function sessionRoutes(app: FastifyInstance, { service, settings }: RestContext): void {
  const open = { summary: 'Open a session', tags, body: SessionCreate, response: answers(201, Session, 'Opened') }
  app.post<{ Body: { metadata?: Record<string, string> } }>(
    '/sessions',
    { schema: open, bodyLimit: BODY_LIMIT, preValidation: noBodyIsEmpty },
    async (request, reply) => {
      const client = clientIp(request, settings.TRUSTED_PROXY_COUNT)
      return reply
        .code(201)
        .send(await service.createSession({ metadata: request.body.metadata ?? {}, client, by: principalOf(request) }))
    },
  )

  const list = { summary: 'List the sessions', tags, response: answers(200, SessionList) }
  app.get('/sessions', { schema: list }, async (request) => ({
    sessions: await service.listSessions(principalOf(request)),
  }))

  const show = { summary: 'Show a session', tags, params: SessionParams, response: answers(200, Session) }
  app.get<OfSession>('/sessions/:session_id', { schema: show }, async (request) => {
    const { session_id: sessionId } = request.params
    await service.reach({ sessionId })
    return service.getSession(sessionId, principalOf(request))
  })

  const close = {
    summary: 'Close a session',
    tags,
    params: SessionParams,
    response: { 204: { description: 'Closed', type: 'null' }, ...problems },
  }
  app.delete<OfSession>('/sessions/:session_id', { schema: close }, async (request, reply) => {
    await service.deleteSession(request.params.session_id, principalOf(request))
    return reply.code(204).send()
  })
}

async function noBodyIsEmpty(request: { body: unknown }): Promise<void> {
  request.body ??= {}
}

const Metadata = Type.Record(Type.String(), Type.String())
const time = (description: string) => Type.String({ format: 'date-time', description })

const SessionCreate = strict({ metadata: Type.Optional(Metadata) }, { title: 'SessionCreate' })

const Session = Type.Object(
  {
    session_id: Type.String(),
    created_at: time('When it was opened.'),
    last_accessed_at: time('Updated by every access by id.'),
    model_count: Type.Integer(),
    metadata: Metadata,
    expires_at: time('Idle deadline; moved by every access by id.'),
    max_expires_at: time('Absolute deadline.'),
  },
  { title: 'Session' },
)

const SessionList = Type.Object({ sessions: Type.Array(Session) }, { title: 'SessionList' })
