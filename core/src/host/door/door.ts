/**
 * The checks of every request before a surface gets it: it gets an id, its host name and its origin are allowed, it has
 * a key unless its route is open, and its route exists.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { credentialsOf } from '../../auth/credential.js'
import { ON_BEHALF_OF, onBehalfOf } from '../../auth/on-behalf-of.js'
import { isAdmin } from '../../auth/principal.js'
import { GrainlineError } from '../../errors.js'
import { codeOf } from '../../invariant.js'
import type { Settings } from '../../settings/core-variables.js'
import type { Authenticator, HttpSurface, Principal } from '../points.js'
import { answerProblem } from '../problem.js'
import { clientIp, forwardedFor } from './client-ip.js'
import { hostGuard, isLoopback } from './host-guard.js'
import { corsHeaders, isPreflight, originOf, preflightHeaders } from './origin-guard.js'
import { type RouteRule, recordRoutes, routeRules, unknownRoute } from './routes.js'

export interface DoorOptions {
  readonly surfaces: readonly HttpSurface[]
  readonly settings: Settings
  readonly authenticate: Authenticator['authenticate']
  /** The prefix of the surfaces' paths. */
  readonly prefix: string
  /** The standalone server, so that its address is known. */
  readonly standalone: boolean
  /** Whether no key is that of an administrator by default, because a model has access rules. */
  readonly namesAdministrators: () => boolean
}

const PRINCIPAL = Symbol('principal')

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; absent where the route is open. */
    [PRINCIPAL]?: Principal
  }
}

/** The principal of a request. Throws for a request that did not pass these checks. */
export function principalOf(request: FastifyRequest): Principal {
  const principal = request[PRINCIPAL]
  if (principal === undefined) throw new TypeError('the request did not come through the door')
  return principal
}

type Step = (request: FastifyRequest, reply: FastifyReply) => void

/** Applies to all routes of `app`, including unknown ones if `app` answers those. */
export function openDoor(app: FastifyInstance, options: DoorOptions): void {
  const [hosts, origins, routes] = [checkHost(options), checkOrigin(options), checkRoute(app)]
  const ruleOf = routeRules(options.surfaces, options.prefix)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    try {
      const rule = ruleOf(request)
      if (!rule.isForAnyHost) hosts(request, reply)
      origins(request, reply)
      if (reply.sent) return reply
      if (!rule.isOpen) admit(onBehalfOf(await credited(request, options), namedIn(request)), rule, request, options)
      routes(request, reply)
    } catch (error) {
      // Answered here, because the handler of a surface may change a refusal.
      if (error instanceof GrainlineError) return answerProblem(error, request, reply)
      throw error
    }
  })
}

function checkHost({ settings, standalone }: DoorOptions): Step {
  const { ALLOWED_HOSTS: allowed, TRUSTED_PROXY_COUNT: proxies } = settings
  const bound = standalone ? settings.API_SERVER_HOST : undefined
  const accepts = hostGuard({ allowed, bound })
  // Each proxy adds the address that it saw. The names of a service are then known only to the proxies, unless the operator lists them.
  const isForwarded = (request: FastifyRequest) => proxies > 0 && allowed.length === 0 && forwardedFor(request).length >= proxies
  return (request) => {
    const { host } = request.headers
    if (host === undefined || !accepts || accepts(host) || isForwarded(request)) return
    const shown = host.slice(0, 100)
    throw new GrainlineError('HOST_REFUSED', `The request asks for host '${shown}', which is not a name of this server`)
  }
}

function checkOrigin({ settings }: DoorOptions): Step {
  const preflight = preflightHeaders(settings.API_KEY_HEADER)
  return (request, reply) => {
    const asked = originOf(request, settings.ALLOWED_ORIGINS)
    if (asked.kind === 'own') return
    if (asked.kind === 'foreign') {
      const shown = asked.origin.slice(0, 100)
      throw new GrainlineError('ORIGIN_REFUSED', `A page of another origin (${shown}) asks, and ALLOWED_ORIGINS does not list it`)
    }
    reply.headers(corsHeaders(asked.origin))
    if (isPreflight(request)) reply.code(204).headers(preflight).send()
  }
}

/** A client may send two credentials, of which one is old or of another service: the valid one counts. */
async function credited(request: FastifyRequest, { settings, authenticate }: DoorOptions): Promise<Principal> {
  const [first, second] = credentialsOf(request.headers, settings.API_KEY_HEADER)
  try {
    return await authenticate(first)
  } catch (error) {
    if (second === undefined || codeOf(error) !== 'AUTH_INVALID') throw error
    return authenticate(second)
  }
}

/** The principal for whom a client asks, if it names one. */
const namedIn = ({ headers }: FastifyRequest): string | undefined => headers[ON_BEHALF_OF]?.toString()

function admit(
  principal: Principal,
  { isAdministration, isOperation }: RouteRule,
  request: FastifyRequest,
  { settings, namesAdministrators }: DoorOptions,
): void {
  request[PRINCIPAL] = principal
  const isGuarded = isAdministration || (isOperation && namesAdministrators())
  if (!isGuarded || isAdministrator(principal, request, settings, namesAdministrators)) return
  throw new GrainlineError('ADMIN_REQUIRED', `${request.method} ${request.routeOptions.url} is for administrators`)
}

/** Before the body is read. */
function checkRoute(app: FastifyInstance): Step {
  const table = recordRoutes(app)
  return (request, reply) => {
    if (request.is404) throw unknownRoute(request, reply, table)
  }
}

type Rules = Pick<Settings, 'AUTH_MODE' | 'ADMIN_API_KEYS' | 'API_KEYS_FILE' | 'TRUSTED_PROXY_COUNT'>

/**
 * Without authentication, clients on this machine; otherwise clients with one of `ADMIN_API_KEYS` or the role `admin`, or with any key without roles if
 * nothing names administrators.
 */
function isAdministrator(
  principal: Principal,
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
  { AUTH_MODE, ADMIN_API_KEYS, API_KEYS_FILE, TRUSTED_PROXY_COUNT }: Rules,
  areNamed: () => boolean,
): boolean {
  const isNamed = principal.roles !== undefined
  const anyKey = !isNamed && ADMIN_API_KEYS.length === 0 && API_KEYS_FILE === undefined && !areNamed()
  if (AUTH_MODE !== 'none') return anyKey || isAdmin(principal)
  // An undeclared proxy on this machine would make every client local.
  const undeclared = TRUSTED_PROXY_COUNT === 0 && request.headers['x-forwarded-for'] !== undefined
  return !undeclared && isLoopback(clientIp(request, TRUSTED_PROXY_COUNT))
}
