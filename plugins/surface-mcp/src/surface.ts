import { text } from 'node:stream/consumers'
import { askWithin, type HttpSurface, ON_BEHALF_OF } from '@grainline/core/surface'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Limits } from './answer/fitting-rows.js'
import { apiOver, type Send } from './api/api.js'
import { BODY_LIMIT, parseBody } from './call-body.js'
import { capabilitiesOf } from './capabilities.js'
import { nodeHandler } from './node-handler.js'
import { METADATA, showIssuer } from './protected-resource.js'
import { buildServer } from './server.js'
import type { Toolset } from './tools/toolsets.js'

interface Offered {
  readonly toolsets: readonly Toolset[]
  readonly limits: Limits
}

/** The headers that are passed on from an agent's request to the API: the credential, for whom it asks, the host name and the client's address. */
const PASSED_ON = ['authorization', ON_BEHALF_OF, 'host', 'x-forwarded-for', 'x-forwarded-proto']

/** Adds the route. Each tool call is a request to `/v1` of the same server, with the credential of the caller. */
export function mcpSurface({ toolsets, limits }: Offered): HttpSurface {
  return {
    name: 'mcp',
    kind: 'http',
    open: [`GET ${METADATA}`, `GET ${METADATA}/v1/mcp`],
    routes: async (app, { settings, logger, issuedBy }) => {
      const passed = [...PASSED_ON, settings.API_KEY_HEADER.toLowerCase()]
      const onerror = (error: Error) => logger.debug({ err: error }, 'MCP')
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('*', { bodyLimit: BODY_LIMIT, parseAs: 'string' }, (_request, body, done) => done(null, body))
      if (issuedBy) showIssuer(app, issuedBy)
      app.route({
        method: ['GET', 'POST', 'DELETE'],
        url: '/v1/mcp',
        handler: async (request, reply) => {
          const api = apiOver(sendWithin(app, request), headersOf(request, passed))
          const capabilities = await capabilitiesOf(api)
          const handler = createMcpHandler(() => buildServer({ world: { api, limits }, toolsets, capabilities }), { onerror })
          reply.hijack()
          await nodeHandler(handler)(request.raw, reply.raw, parseBody(request.body))
        },
      })
    },
  }
}

/** Injects a request into the same server, where it passes all checks like a request from outside. */
function sendWithin(app: FastifyInstance, { raw, routeOptions }: FastifyRequest): Send {
  const prefix = (routeOptions.url ?? '').replace(/\/v1\/mcp$/, '')
  const remoteAddress = raw.socket.remoteAddress ?? '127.0.0.1'
  return async ({ path, ...asked }) => {
    const { status, body } = await askWithin(app, { ...asked, url: prefix + path, remoteAddress })
    return { status, text: await text(body) }
  }
}

function headersOf({ headers }: FastifyRequest, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])))
}
