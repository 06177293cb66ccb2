import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { Connections, hasSeveralHosts } from '@grainline/core/http'
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Api, apiOver } from './api/api.js'
import { sendOverNetwork } from './api/send-over-network.js'
import { BODY_LIMIT, parseBody, readBody } from './call-body.js'
import { capabilitiesOf } from './capabilities.js'
import { credentialOf, ON_BEHALF_OF } from './credential-of.js'
import { nodeHandler } from './node-handler.js'
import { buildServer } from './server.js'
import type { McpSettings } from './settings.js'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

/** Serves `/mcp`, and `/health` for probes, until a signal ends it. Calls share no state, so any replica can serve them. */
export async function serveHttp(settings: McpSettings): Promise<void> {
  refuseOpenDoor(settings)
  const { host, port, toolsets, limits, clientMaxIncomplete } = settings
  const send = sendOverNetwork(settings)
  const capabilities = await capabilitiesOf(apiOver(send, keyOf(settings, new Headers())))
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const api: Api = apiOver(send, keyOf(settings, requestInfo?.headers ?? new Headers()))
      return buildServer({ world: { api, limits }, toolsets, capabilities })
    },
    { onerror: (error) => process.stderr.write(`grainline-mcp: ${error.message}\n`) },
  )
  const names = [...LOOPBACK].map((name) => (name.includes(':') ? `[${name}]` : name))
  const hosts = [...names, host, ...settings.allowedHosts]
  const [ofThisServer, ofThisOrigin] = [hostHeaderValidation(hosts), originValidation(hosts)]
  const answer = nodeHandler(handler)
  const connections = new Connections({ incomplete: clientMaxIncomplete, refuse: refuseTooMany(clientMaxIncomplete) })
  const handle: RequestListener = (request, response) => {
    if (hasSeveralHosts(request)) return refuse(response, 400, 'The request names several hosts.')
    const path = (request.url ?? '').split('?')[0]
    if (path === '/health') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
    if (!ofThisServer(request, response) || !ofThisOrigin(request, response)) return
    if (path !== '/mcp') return refuse(response, 404, 'The MCP endpoint is /mcp.')
    // A caller who sends no key would get what the key of the environment may see, and not what the user may see.
    if (!settings.forwardClientKey && request.headers[ON_BEHALF_OF] !== undefined) return refuse(response, 403, NAMES_NOBODY)
    void answerCall(request, response)
  }
  const answerCall = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return answer(request, response)
    const body = await readBody(request)
    // Nobody reads the answer.
    if (body === 'gone') return
    if (body === 'too large') return refuseAndClose(response, 413, `A call has at most ${BODY_LIMIT} bytes.`)
    await answer(request, response, parseBody(body.text))
  }
  const server = createServer(connections.handler(handle))
  connections.watch(server)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const address = server.address()
  process.stderr.write(`grainline-mcp: http://${host}:${typeof address === 'object' ? address?.port : port}/mcp\n`)
  const stop = () => {
    server.close()
    void connections.end(CLOSE_MS, { error: (_facts, message) => process.stderr.write(`grainline-mcp: ${message}\n`) })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  await once(server, 'close')
}

const refuse = (response: ServerResponse, status: number, text: string): void =>
  void response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`)

const refuseAndClose = (response: ServerResponse, status: number, text: string): void =>
  refuse(response.setHeader('connection', 'close'), status, text)

const refuseTooMany =
  (most: number): RequestListener =>
  (_request, response) =>
    refuseAndClose(
      response,
      429,
      `This address has ${most} connections without a complete request. Finish or close them first, or let the operator raise HTTP_CLIENT_MAX_INCOMPLETE.`,
    )

const NAMES_NOBODY = `ON_BEHALF_REFUSED: this process asks with its own key for whom MCP_AS names. Set MCP_FORWARD_CLIENT_KEY=true, and send a key beside ${ON_BEHALF_OF}.`

/** How long the calls under way may take when the process ends. */
const CLOSE_MS = 10_000

/** Otherwise every client of the port would act with the key of the environment. */
function refuseOpenDoor({ host, apiKey, forwardClientKey, allowUnauthenticated }: McpSettings): void {
  if (LOOPBACK.has(host) || apiKey === undefined || forwardClientKey || allowUnauthenticated) return
  throw new Error(
    `MCP_SERVER_HOST=${host} would let everybody who reaches this port use API_KEY. Set MCP_FORWARD_CLIENT_KEY=true, so that callers bring their own key, or MCP_ALLOW_UNAUTHENTICATED=true.`,
  )
}

/** The credential for the API: the caller's own if callers have one, who may also name another principal, else that of the environment. */
function keyOf(settings: McpSettings, headers: Headers): Readonly<Record<string, string>> {
  const { apiKeyHeader, forwardClientKey } = settings
  if (!forwardClientKey) return credentialOf(settings)
  const [key, bearer, named] = [headers.get(apiKeyHeader), headers.get('authorization'), headers.get(ON_BEHALF_OF)]
  return {
    ...(named !== null && { [ON_BEHALF_OF]: named }),
    ...(key !== null && { [apiKeyHeader]: key }),
    ...(key === null && bearer !== null && { authorization: bearer }),
  }
}
