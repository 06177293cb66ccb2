import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a route whose schema is marked `deprecated`: since when, and when it goes. Both are dates. */
    deprecation?: { readonly since: string; readonly sunset?: string }
  }
}

/** A route on its way out says so in every answer: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
export function announceDeprecations(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { deprecation } = request.routeOptions.config
    if (deprecation === undefined) return
    reply.header('deprecation', `@${Date.parse(deprecation.since) / 1000}`)
    if (deprecation.sunset !== undefined) reply.header('sunset', new Date(deprecation.sunset).toUTCString())
  })
}
