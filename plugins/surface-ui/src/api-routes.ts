import { codeOf, GrainlineError, messageOf } from '@grainline/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AskedPath, allowedPath } from './allowed-path.js'
import { refuseStrangers } from './refuse-strangers.js'
import type { Upstream } from './upstream/upstream.js'

export interface ApiOptions {
  readonly upstream: Upstream
  readonly rights: Rights
}

/** With whose rights the page asks: those of one key of this server, or those of each person, whose browser sends headers that prove them. */
export type Rights =
  | { readonly of: 'server'; readonly credential: Readonly<Record<string, string>> }
  | { readonly of: 'people'; readonly headers: readonly string[] }

/** The size of the largest model that the API accepts. */
const BODY_LIMIT = 32 * 1024 * 1024
/** The browser's headers that are always passed on: no cookie, no credential, and no connection headers. */
const PASSED_ON = ['accept', 'accept-encoding', 'accept-language', 'content-type', 'host', 'if-none-match', 'traceparent']
const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']
/** On a 401: a person can sign in on the page. */
const SIGN_IN = 'x-grainline-sign-in'
const HANDED_BACK = /^(?:content-(?:type|encoding|length)|etag|vary|retry-after|server-timing|x-request-id|x-grainline-.*)$/

/** Adds `/ui/api/…`, which forwards requests of the page to `/v1`. */
export function apiRoutes(parent: FastifyInstance, { upstream, rights }: ApiOptions): void {
  parent.register(async (app) => {
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) => done(null, body))
    app.addHook('onRequest', async (request) => refuseStrangers(request))
    if (rights.of === 'server') app.addHook('onRequest', async (request) => refuseUsers(request))
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/ui/api/*',
      bodyLimit: BODY_LIMIT,
      handler: async (request, reply) => {
        const asked = allowedPath(request.method, restOf(request.raw.url ?? ''))
        return forward({ request, reply, asked, upstream, rights })
      },
    })
  })
}

interface Forwarding extends ApiOptions {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly asked: AskedPath
}

async function forward({ request, reply, asked, upstream, rights }: Forwarding): Promise<FastifyReply> {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  const { body } = request
  const answer = await upstream({
    ...asked,
    headers: { ...headersOf(request, [...PASSED_ON, ...FORWARDED]), ...proofOf(request, rights) },
    ...(Buffer.isBuffer(body) && { body }),
    remoteAddress: request.raw.socket.remoteAddress ?? '127.0.0.1',
    signal: controller.signal,
  }).catch((cause: unknown) => unreachable(cause, controller.signal))
  for (const [name, value] of Object.entries(answer.headers)) {
    if (HANDED_BACK.test(name) && value !== undefined) reply.header(name, value)
  }
  if (answer.status === 401 && rights.of === 'people') reply.header(SIGN_IN, '1')
  reply.header('cache-control', answer.headers['etag'] === undefined ? 'no-store' : 'private, no-cache')
  // A browser that disconnects ends the answer early, which is not an error.
  answer.body.on('error', () => undefined)
  return reply.code(answer.status).send(answer.body)
}

/** A proxy that names its users would get the rights of the one key for all of them. */
function refuseUsers({ headers }: FastifyRequest): void {
  if (headers['x-on-behalf-of'] === undefined) return
  throw new GrainlineError(
    'ON_BEHALF_REFUSED',
    'The page asks with SVC_API_KEY for everybody, and for no user that a request names: unset SVC_API_KEY, and let the proxy send its key beside X-On-Behalf-Of',
  )
}

const proofOf = (request: FastifyRequest, rights: Rights): Readonly<Record<string, string>> =>
  rights.of === 'server' ? rights.credential : headersOf(request, rights.headers)

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
