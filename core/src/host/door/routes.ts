import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GrainlineError } from '../../errors.js'
import { shown } from '../../nearest.js'
import type { HttpSurface } from '../points.js'

/** Every route of the surfaces: its path as registered, in segments, and its methods. */
type RouteTable = readonly { readonly segments: readonly string[]; readonly methods: readonly string[] }[]

/** Is filled while routes are registered in `app` and its children. */
export function recordRoutes(app: FastifyInstance): RouteTable {
  const table: RouteTable[number][] = []
  app.addHook('onRoute', ({ url, method }) => {
    table.push({ segments: url.split('/'), methods: [method].flat() })
  })
  return table
}

/** 405 with `Allow` if the path exists with another method, else 404. */
export function unknownRoute({ url, method }: FastifyRequest, reply: FastifyReply, table: RouteTable): GrainlineError {
  const path = url.split('?', 1)[0] ?? ''
  const allowed = methodsOf(path.split('/'), table)
  if (allowed.length === 0) return new GrainlineError('NOT_FOUND', `There is no ${method} ${shown(path)} here`)
  reply.header('allow', allowed.join(', '))
  return new GrainlineError('METHOD_NOT_ALLOWED', `${shown(path)} takes ${allowed.join(', ')}, not ${method}`)
}

function methodsOf(path: readonly string[], table: RouteTable): string[] {
  const fits = ({ segments }: RouteTable[number]) =>
    segments.length === path.length &&
    segments.every((segment, index) => segment === path[index] || (segment.startsWith(':') && path[index]))
  return [...new Set(table.filter(fits).flatMap((route) => route.methods))].sort()
}

/** What a surface says about a route, by its name: `GET /health`. */
export interface RouteRule {
  /** It needs no credential. */
  readonly isOpen: boolean
  /** It is answered whatever host the request names. */
  readonly isForAnyHost: boolean
  readonly isAdministration: boolean
  /** It is for administrators while a model has access rules. */
  readonly isOperation: boolean
}

/** The rule of the route that is asked. `prefix` is what the paths of the surfaces begin with. */
export function routeRules(surfaces: readonly HttpSurface[], prefix: string): (request: FastifyRequest) => RouteRule {
  const open = new Set(surfaces.flatMap((surface) => surface.open ?? []))
  const administration = new Set(surfaces.flatMap((surface) => surface.administration ?? []))
  const operation = new Set(surfaces.flatMap((surface) => surface.operation ?? []))
  const forAnyHost = new Set(surfaces.flatMap((surface) => surface.anyHost ?? []))
  const known = new WeakMap<object, Map<string, RouteRule>>()
  return (request) => {
    if (request.is404) return UNKNOWN
    const { url, config } = request.routeOptions
    const found = known.get(config)?.get(request.method)
    if (found !== undefined) return found
    const name = nameOf(request.method, url, prefix)
    const rule = {
      isOpen: open.has(name),
      isForAnyHost: forAnyHost.has(name),
      isAdministration: administration.has(name),
      isOperation: operation.has(name),
    }
    known.set(config, new Map([...(known.get(config) ?? []), [request.method, rule]]))
    return rule
  }
}

/** No surface can list an unknown route. */
const UNKNOWN: RouteRule = { isOpen: false, isForAnyHost: false, isAdministration: false, isOperation: false }

function nameOf(method: string, url: string | undefined, prefix: string): string {
  return `${method === 'HEAD' ? 'GET' : method} ${url?.slice(prefix.length) || '/'}`
}
