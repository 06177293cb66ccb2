import { credentialOf } from '@grainline/core'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, as the authenticator names it. */
    principal: string
  }
}

/** Asks the authenticator about every request of this scope, unknown routes included. */
export function requireKey(app: FastifyInstance, { authenticate, settings }: RestContext): void {
  app.decorateRequest('principal', '')
  app.addHook('onRequest', async (request) => {
    const { id } = await authenticate(credentialOf(request.headers, settings.API_KEY_HEADER))
    request.principal = id
  })
}
