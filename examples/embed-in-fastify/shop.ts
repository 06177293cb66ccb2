/** The existing application, with its own routes, authentication and errors. */
import type { FastifyInstance } from 'fastify'

export async function shop(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers['x-staff'] !== 'yes') return reply.code(401).send({ oops: 'staff only' })
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-shop', 'open')
  })
  app.setErrorHandler((error: Error, _request, reply) => reply.code(500).send({ oops: error.message }))

  app.get('/orders', { schema: { summary: 'Orders of the day' } }, async () => [{ id: 1 }])
  app.get('/broken', { schema: { hide: true } }, async () => {
    throw new Error('the till is stuck')
  })
}
