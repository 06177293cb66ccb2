import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RestContext } from '../context.js'
import { describedApi } from '../describe/described-api.js'
import { readingPage } from '../describe/reading-page.js'
import { HIDDEN } from '../http/hidden.js'
import { createViewer } from '../http/viewer.js'

const PAGE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'"

/**
 * The OpenAPI document for people: `/docs` can call routes, `/redoc` is one page to read. The viewer of `/docs` has to fetch the document, so both
 * are the page to read if `/openapi.json` is not served.
 */
export function docsPages(app: FastifyInstance, { settings, service }: RestContext): void {
  if (!settings.EXPOSE_API_DOCS) return
  let page: string | undefined
  const showPage = async (_request: FastifyRequest, reply: FastifyReply) => {
    page ??= readingPage(app.swagger())
    return reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE).send(page)
  }
  app.get('/redoc', HIDDEN, showPage)
  if (!settings.EXPOSE_OPENAPI_SCHEMA) {
    app.get('/docs', HIDDEN, showPage)
    return
  }
  let viewer: Promise<FastifyInstance> | undefined
  // The viewer is created for its first visitor, because most processes never show it.
  const showViewer = async (request: FastifyRequest, reply: FastifyReply) => {
    viewer ??= createViewer(describedApi(app, service), `${app.prefix}/docs`)
    const { routing } = await viewer
    request.raw.headers['x-request-id'] = request.id
    reply.raw.setHeader('x-request-id', request.id)
    reply.hijack()
    routing(request.raw, reply.raw)
  }
  app.get('/docs', HIDDEN, showViewer)
  app.get('/docs/*', HIDDEN, showViewer)
  app.addHook('onClose', async () => (await viewer)?.close())
}
