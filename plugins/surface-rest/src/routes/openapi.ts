import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { describedApi } from '../describe/described-api.js'
import { HIDDEN } from '../http/hidden.js'

/** Generates the OpenAPI 3.1 document from the schemas of the routes. If the application around us already generates one, its document is used. */
export async function openApiDocument(app: FastifyInstance, { version, settings, service }: RestContext): Promise<void> {
  if (!settings.EXPOSE_OPENAPI_SCHEMA && !settings.EXPOSE_API_DOCS) return
  if (!app.hasDecorator('swagger')) {
    const { default: swagger } = await import('@fastify/swagger')
    await app.register(swagger, { openapi: { openapi: '3.1.0', info: infoOf(version), ...securityOf(settings) } })
  }
  if (!settings.EXPOSE_OPENAPI_SCHEMA) return
  app.get('/openapi.json', HIDDEN, async (request, reply) => {
    const { bytes, etag } = documentOf(describedApi(app, service))
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(bytes)
  })
}

interface Written {
  readonly bytes: Buffer
  readonly etag: string
}

const written = new WeakMap<object, Written>()

/** The document is the same for all clients, so its text exists once. */
function documentOf(document: object): Written {
  const known = written.get(document)
  if (known !== undefined) return known
  const bytes = Buffer.from(JSON.stringify(document))
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  written.set(document, { bytes, etag })
  return { bytes, etag }
}

function infoOf(version: string) {
  return { title: 'Grainline', version, description: 'A semantic layer: one model, one question, one number, on every engine.' }
}

function securityOf({ AUTH_MODE, API_KEY_HEADER }: RestContext['settings']) {
  if (AUTH_MODE === 'none') return {}
  const securitySchemes = {
    header: { type: 'apiKey', in: 'header', name: API_KEY_HEADER },
    bearer: { type: 'http', scheme: 'bearer' },
  } as const
  return { components: { securitySchemes }, security: [{ header: [] }, { bearer: [] }] }
}
