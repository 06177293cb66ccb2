import { codeOf, GrainlineError, messageOf } from '@grainline/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AskedPath, allowedPath } from './allowed-path.js'
import type { Upstream } from './upstream/upstream.js'

export interface ApiOptions {
  readonly upstream: Upstream
  /** The header with the key; empty if there is no key. */
  readonly credential: Readonly<Record<string, string>>
}

/** The size of the largest model that the API accepts. */
const BODY_LIMIT = 32 * 1024 * 1024
/** The browser's headers that are passed on: no cookie, no credential, and no connection headers. */
const PASSED_ON = ['accept', 'accept-encoding', 'accept-language', 'content-type', 'host', 'if-none-match', 'traceparent']
const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']
const HANDED_BACK = /^(?:content-(?:type|encoding|length)|etag|vary|retry-after|server-timing|x-request-id|x-grainline-.*)$/

/** Adds `/ui/api/…`, which forwards requests of the page to `/v1` with the key of this server. */
export function apiRoutes(parent: FastifyInstance, { upstream, credential }: ApiOptions): void {
  parent.register(async (app) => {
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) => done(null, body))
    app.addHook('onRequest', async (request) => refuseStrangers(request))
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/ui/api/*',
      bodyLimit: BODY_LIMIT,
      handler: async (request, reply) => {
        const asked = allowedPath(request.method, restOf(request.raw.url ?? ''))
        return forward({ request, reply, asked, upstream, credential })
      },
    })
  })
}

interface Forwarding extends ApiOptions {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly asked: AskedPath
}

async function forward({ request, reply, asked, upstream, credential }: Forwarding): Promise<FastifyReply> {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  const { body } = request
  const answer = await upstream({
    ...asked,
    headers: { ...headersOf(request, [...PASSED_ON, ...FORWARDED]), ...credential },
    ...(Buffer.isBuffer(body) && { body }),
    remoteAddress: request.raw.socket.remoteAddress ?? '127.0.0.1',
    signal: controller.signal,
  }).catch((cause: unknown) => unreachable(cause, controller.signal))
  for (const [name, value] of Object.entries(answer.headers)) {
    if (HANDED_BACK.test(name) && value !== undefined) reply.header(name, value)
  }
  reply.header('cache-control', answer.headers['etag'] === undefined ? 'no-store' : 'private, no-cache')
  // A browser that disconnects ends the answer early, which is not an error.
  answer.body.on('error', () => undefined)
  return reply.code(answer.status).send(answer.body)
}

function headersOf({ headers }: FastifyRequest, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])))
}

/** The part after `…/ui/api` of the URL as it was sent, wherever the surface is mounted. */
const restOf = (url: string): string => /\/ui\/api(\/.*)$/s.exec(url)?.[1] ?? ''

function unreachable(cause: unknown, signal: AbortSignal): never {
  if (signal.aborted) throw new GrainlineError('QUERY_CANCELLED', 'The browser disconnected')
  const why = codeOf(cause) ?? messageOf(cause)
  throw new GrainlineError('API_UNREACHABLE', `The API of this page did not answer (${why})`, { cause })
}

/**
 * The page has no login, so other sites must not be able to use its routes. A custom header requires a CORS preflight across origins, which this server
 * never allows. `Sec-Fetch-Site` is checked too if the browser sends it.
 */
function refuseStrangers({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const site = headers['sec-fetch-site']
  if (headers['x-grainline-ui'] === '1' && (site === undefined || site === 'same-origin')) return
  throw new GrainlineError('ORIGIN_REFUSED', 'Only the page at /ui may send this request', {
    hint: 'Programs ask /v1 of the API itself, with a key of their own.',
  })
}
