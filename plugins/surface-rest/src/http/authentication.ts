import { credentialOf } from '@grainline/core'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'

/** Asks the authenticator about every request of this scope, unknown routes included. */
export function requireKey(app: FastifyInstance, { authenticate, settings }: RestContext): void {
  app.addHook('onRequest', async ({ headers }) => {
    await authenticate(credentialOf(headers, settings.API_KEY_HEADER))
  })
}
