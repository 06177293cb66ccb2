import { GrainlineError, Type } from '@grainline/core'
import { principalOf } from '@grainline/core/surface'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RestContext } from '../context.js'
import { HIDDEN } from '../http/hidden.js'
import { answers } from '../schemas/common.js'

const Health = Type.Object({ status: Type.String(), version: Type.String(), auth_mode: Type.String() }, { title: 'Health' })

export function healthRoute(app: FastifyInstance, { version, settings }: RestContext): void {
  const schema = { summary: 'Whether the service is up', tags: ['service'], response: answers(200, Health) }
  app.get('/health', { schema }, async () => ({ status: 'ok', version, auth_mode: settings.AUTH_MODE }))
}

const Ready = Type.Object({ status: Type.String() }, { title: 'Ready' })

/** For a balancer: it has no key, so it says only whether to send requests here. */
export function readyRoute(app: FastifyInstance, { service }: RestContext): void {
  const schema = { summary: 'Whether requests can be answered now', tags: ['service'], response: answers(200, Ready) }
  app.get('/ready', { schema }, async () => {
    if (await service.isReady()) return { status: 'ready' }
    throw new GrainlineError('NOT_READY', 'The models are not loaded yet, or a database does not answer or was replaced')
  })
}

/** Asks crawlers to stay away. */
export function robotsRoute(app: FastifyInstance): void {
  app.get('/robots.txt', HIDDEN, async (_request, reply) => {
    return reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n')
  })
}

export function settingsRoute(app: FastifyInstance, { service, version, settings }: RestContext): void {
  const PublicSettings = Type.Record(Type.String(), Type.Unknown(), { title: 'PublicSettings' })
  const schema = { summary: 'The settings a client may know', tags: ['service'], response: answers(200, PublicSettings) }
  app.get('/settings', { schema }, async (request) => ({
    ...service.publicSettings(),
    ...(settings.AUTH_MODE !== 'none' && { principal: whoAsks(request) }),
    version,
    api_version: 'v1',
  }))
}

/** Whom the credential of a request names, so that a client can say who is signed in. Attributes stay on the server. */
function whoAsks(request: FastifyRequest) {
  const { id, name, roles = [] } = principalOf(request)
  return { id, ...(name !== undefined && { name }), roles }
}
