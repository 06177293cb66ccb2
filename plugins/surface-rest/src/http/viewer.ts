import { GrainlineError } from '@grainline/core'
import { sendProblem } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'

/** Nothing is loaded from another host. The viewer sets inline styles. */
const CSP = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'"

/** A Fastify instance with Swagger UI for a document. It does not listen: requests below `prefix` are injected. */
export async function createViewer(document: object, prefix: string): Promise<FastifyInstance> {
  const [{ default: Fastify }, { default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('fastify'),
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ])
  const viewer = Fastify({ requestIdHeader: 'x-request-id' })
  viewer.setNotFoundHandler((request, reply) =>
    sendProblem(new GrainlineError('NOT_FOUND', `There is no page ${request.url.split('?', 1)[0]}`), request, reply),
  )
  await viewer.register(swagger, { mode: 'static', specification: { document: document as never } })
  await viewer.register(swaggerUi, {
    routePrefix: prefix,
    staticCSP: CSP,
    // The default would send the document to a validator on the Internet.
    uiConfig: { validatorUrl: null, deepLinking: true, docExpansion: 'list' },
  })
  await viewer.ready()
  return viewer
}
