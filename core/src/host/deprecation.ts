import type { FastifyInstance } from 'fastify'

/** When a route was deprecated, and when it will be removed. Both are dates such as `2026-01-01`. */
export interface Deprecation {
  readonly since: string
  readonly sunset?: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a route whose schema is marked `deprecated`. */
    deprecation?: Deprecation
  }
}

/** Every answer of a deprecated route of any surface says so: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
export function announceDeprecations(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { deprecation } = request.routeOptions.config
    if (deprecation === undefined) return done()
    reply.header('deprecation', `@${Date.parse(deprecation.since) / 1000}`)
    if (deprecation.sunset !== undefined) reply.header('sunset', new Date(deprecation.sunset).toUTCString())
    done()
  })
}
