import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { readingPage } from '../describe/reading-page.js'

/** Nothing comes from another host; the viewer styles its own elements. */
const VIEWER =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'"
const PAGE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'"

/** The OpenAPI document for people: `/docs` tries routes out, `/redoc` is one page to read. Both hold the document themselves. */
export async function docsPages(app: FastifyInstance, { settings }: RestContext): Promise<void> {
  if (!settings.EXPOSE_API_DOCS) return
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: VIEWER,
    // Else the page sends the document to a validator on the Internet.
    uiConfig: { validatorUrl: null, deepLinking: true, docExpansion: 'list' },
  })
  let page: string | undefined
  app.get('/redoc', { schema: { hide: true } as object }, async (_request, reply) => {
    page ??= readingPage(app.swagger())
    return reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE).send(page)
  })
}
