import { GrainlineError, type Static } from '@grainline/core'
import { isSameSecret } from '@grainline/core/surface'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RestContext } from '../context.js'
import { HIDDEN } from '../http/hidden.js'
import { BODY_LIMIT } from '../http/json-body.js'
import { HeartbeatRequest, HeartbeatResponse } from '../schemas/cache.js'
import { answers } from '../schemas/common.js'

/** Jobs that load tables report here. The route has its own token; an API key is not accepted. */
export function heartbeatRoute(app: FastifyInstance, { service, settings }: RestContext): void {
  const token = settings.HEARTBEAT_AUTH_TOKEN
  if (token === undefined) {
    // With every method, so that the route looks like one that does not exist.
    app.all('/heartbeat', HIDDEN, async () => {
      throw new GrainlineError('NOT_FOUND', 'POST /v1/heartbeat is off; HEARTBEAT_AUTH_TOKEN turns it on')
    })
    return
  }
  const schema = {
    summary: 'A table was loaded',
    description: 'Removes cached answers that were read from the table. Authorization: Bearer, with HEARTBEAT_AUTH_TOKEN.',
    tags: ['service'],
    body: HeartbeatRequest,
    response: answers(200, HeartbeatResponse),
  }
  const onRequest = async (request: FastifyRequest) => requireToken(request, token)
  app.post<{ Body: Static<typeof HeartbeatRequest> }>(
    '/heartbeat',
    { schema, onRequest, bodyLimit: BODY_LIMIT },
    async (request) => {
      const { database, schema: own, table } = request.body
      const beat = await service.heartbeat({ database: database ?? undefined, schema: own ?? undefined, name: table })
      return {
        table_ref: beat.table,
        recorded_at: beat.recordedAt.toISOString(),
        invalidated_cache_entries: beat.invalidated,
        affected_data_objects: beat.dataObjects,
      }
    },
  )
}

function requireToken({ headers }: FastifyRequest, token: string): void {
  const given = /^Bearer +(.+?) *$/i.exec(headers.authorization ?? '')?.[1]
  if (given === undefined)
    throw new GrainlineError('AUTH_REQUIRED', 'A heartbeat needs its token; send HEARTBEAT_AUTH_TOKEN as Authorization: Bearer')
  if (!isSameSecret(given, token))
    throw new GrainlineError('AUTH_INVALID', 'The heartbeat token is not valid; send HEARTBEAT_AUTH_TOKEN')
}
