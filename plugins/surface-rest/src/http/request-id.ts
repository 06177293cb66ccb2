import type { FastifyInstance } from 'fastify'

/** Every response says the id under which the request is logged. */
export function sendRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
}
