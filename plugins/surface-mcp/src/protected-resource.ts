/** MCP as a protected resource of OAuth (RFC 9728): a client without a token learns who issues one. */
import type { SurfaceContext } from '@grainline/core/surface'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** The well-known path, to which a resource adds its own. */
export const METADATA = '/.well-known/oauth-protected-resource'

type IssuedBy = NonNullable<SurfaceContext['issuedBy']>

/** The routes of the metadata, and the way to them in every refusal of MCP. */
export function showIssuer(app: FastifyInstance, { issuer, resource }: IssuedBy): void {
  for (const url of [METADATA, `${METADATA}/v1/mcp`])
    app.get(url, async (request) => ({
      resource: resource ?? `${baseOf(request)}/v1/mcp`,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      resource_name: 'Grainline',
    }))
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode === 401) reply.header('www-authenticate', challengeTo(request))
  })
}

function challengeTo(request: FastifyRequest): string {
  const metadata = `resource_metadata="${baseOf(request)}${METADATA}/v1/mcp"`
  // Without a token nothing is wrong with one (RFC 6750, section 3.1).
  const wrong = request.headers.authorization === undefined ? [] : ['error="invalid_token"']
  return `Bearer ${['realm="grainline"', ...wrong, metadata].join(', ')}`
}

/** The address of the server as the client wrote it, without characters that would end a quoted text. */
function baseOf({ protocol, host, routeOptions }: FastifyRequest): string {
  const path = routeOptions.url ?? ''
  const prefix = path.slice(0, Math.max(0, path.search(/\/(\.well-known|v1)\//)))
  return `${protocol}://${host.replace(/[^\w.:[\]-]/g, '')}${prefix}`
}
