import { Type } from '@grainline/core'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { answers } from '../schemas/common.js'

export function settingsRoute(app: FastifyInstance, { service, version }: RestContext): void {
  const PublicSettings = Type.Record(Type.String(), Type.Unknown(), { title: 'PublicSettings' })
  const schema = { summary: 'The settings a client may know', tags: ['service'], response: answers(200, PublicSettings) }
  app.get('/settings', { schema }, async () => ({ ...service.publicSettings(), version, api_version: 'v1' }))
}
