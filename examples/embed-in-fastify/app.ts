/** The shop, and Grainline under `/semantic`: one logger, one OpenAPI document, one shutdown. */
import swagger from '@fastify/swagger'
import { grainline } from '@grainline/core/fastify'
import postgres from '@grainline/dialect-postgres'
import rest from '@grainline/surface-rest'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { shop } from './shop.js'

export async function build(apiKey: string, options: FastifyServerOptions = {}): Promise<FastifyInstance> {
  const app = Fastify(options)
  // Before the routes, so that the document contains all of them.
  await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Shop', version: '1.0.0' } } })
  await app.register(shop)
  await app.register(grainline, {
    prefix: '/semantic',
    config: {
      plugins: [postgres, rest],
      settings: { AUTH_MODE: 'api_key', API_KEYS: [apiKey], DB_VENDOR: 'postgres' },
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  return app
}
