import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RestContext } from '../context.js'
import { describedApi } from '../describe/described-api.js'
import { readingPage } from '../describe/reading-page.js'
import { HIDDEN } from '../http/hidden.js'
import { createViewer } from '../http/viewer.js'

const PAGE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'"

/**
 * The OpenAPI document for people: `/docs` tries routes out, `/redoc` is one page to read. What tries routes out needs the document, so
 * where that is not to be had both are the page to read.
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
  // A server of its own for the viewer's files, made for its first visitor: most starts never show it.
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
