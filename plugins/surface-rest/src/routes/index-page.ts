import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { RestContext } from '../context.js'
import { HIDDEN } from '../http/hidden.js'

const CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'"

/**
 * `GET /` lists the entry points: JSON for programs, the web page or a list for people. Inside another application without a prefix, `GET /` belongs to
 * that application.
 */
export function indexPage(app: FastifyInstance, { version, settings, standalone, home }: RestContext): void {
  if (!standalone && app.prefix === '') return
  const links = linksOf(settings, home).map(([name, path, says]) => ({ name, path: `${app.prefix}${path}`, says }))
  const answer = { name: 'Grainline', version, auth_mode: settings.AUTH_MODE, links }
  app.get('/', HIDDEN, async (request: FastifyRequest, reply: FastifyReply) => {
    const type = new Negotiator(request.raw).mediaType(['application/json', 'text/html'])
    if (type !== 'text/html') return reply.send(answer)
    if (home !== undefined) return reply.redirect(below(request.url, home))
    return reply.type('text/html; charset=utf-8').header('content-security-policy', CSP).send(pageOf(answer))
  })
}

/** A relative URL, which works behind a proxy that removes a part of the path. */
function below(url: string, home: string): string {
  const path = url.split('?', 1)[0]!
  return `./${path.slice(path.lastIndexOf('/') + 1)}${home}/`.replace('//', '/')
}

function linksOf({ EXPOSE_API_DOCS, EXPOSE_OPENAPI_SCHEMA }: RestContext['settings'], home: string | undefined) {
  return [
    ...(home === undefined ? [] : ([['page', `${home}/`, 'the page to ask and to look around']] as const)),
    ['health', '/health', 'whether the service is up'],
    ...(EXPOSE_API_DOCS
      ? ([
          ['docs', '/docs', 'the routes, to try out'],
          ['redoc', '/redoc', 'the routes, on one page'],
        ] as const)
      : []),
    ...(EXPOSE_OPENAPI_SCHEMA ? ([['openapi', '/openapi.json', 'the OpenAPI document']] as const) : []),
    ['models', '/v1/models', 'the published models'],
    ['dialects', '/v1/dialects', 'the SQL dialects'],
    ['reference', '/v1/reference', 'the model format and the query language'],
    ['settings', '/v1/settings', 'the settings a client may know'],
  ] as const
}

function pageOf({
  version,
  auth_mode,
  links,
}: {
  version: string
  auth_mode: string
  links: readonly Record<'name' | 'path' | 'says', string>[]
}): string {
  const items = links.map(({ path, says }) => `<li><a href="${path}">${path}</a> ${says}</li>`).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Grainline</title><style>:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}</style></head>
<body><h1>Grainline ${version}</h1><p>A semantic layer: one model, one question, one number, on every engine. Authentication: ${auth_mode}.</p><ul>${items}</ul></body></html>`
}
