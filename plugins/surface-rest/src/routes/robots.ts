import type { FastifyInstance } from 'fastify'

/** Nothing here is for crawlers. */
export function robotsRoute(app: FastifyInstance): void {
  app.get('/robots.txt', { schema: { hide: true } as object }, async (_request, reply) => {
    return reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n')
  })
}
