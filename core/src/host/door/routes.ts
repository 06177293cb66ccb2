import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GrainlineError } from '../../errors.js'
import type { HttpSurface } from '../points.js'

/** Every route of the surfaces: its path as registered, in segments, and its methods. */
type RouteTable = readonly { readonly segments: readonly string[]; readonly methods: readonly string[] }[]

/** Fills up while routes are registered in `app` and below. */
export function recordRoutes(app: FastifyInstance): RouteTable {
  const table: RouteTable[number][] = []
  app.addHook('onRoute', ({ url, method }) => {
    table.push({ segments: url.split('/'), methods: [method].flat() })
  })
  return table
}

/** 405 with `Allow` where the path exists under another method, else 404. */
export function unknownRoute({ url, method }: FastifyRequest, reply: FastifyReply, table: RouteTable): GrainlineError {
  const path = url.split('?', 1)[0] ?? ''
  const allowed = methodsOf(path.split('/'), table)
  if (allowed.length === 0) return new GrainlineError('NOT_FOUND', `There is no ${method} ${path} here`)
  reply.header('allow', allowed.join(', '))
  return new GrainlineError('METHOD_NOT_ALLOWED', `${path} takes ${allowed.join(', ')}, not ${method}`)
}

function methodsOf(path: readonly string[], table: RouteTable): string[] {
  const fits = ({ segments }: RouteTable[number]) =>
    segments.length === path.length &&
    segments.every((segment, index) => segment === path[index] || (segment.startsWith(':') && path[index]))
  return [...new Set(table.filter(fits).flatMap((route) => route.methods))].sort()
}

/** Which routes a surface opts out of authentication, and which it keeps for administrators, each by its name: `GET /health`. */
interface RouteRules {
  readonly isOpen: (request: FastifyRequest) => boolean
  readonly isAdministration: (request: FastifyRequest) => boolean
}

/** `prefix` is what the paths of the surfaces begin with. */
export function routeRules(surfaces: readonly HttpSurface[], prefix: string): RouteRules {
  const open = new Set(surfaces.flatMap((surface) => surface.open ?? []))
  const administration = new Set(surfaces.flatMap((surface) => surface.administration ?? []))
  return {
    isOpen: (request) => open.has(nameOf(request, prefix)),
    isAdministration: (request) => administration.has(nameOf(request, prefix)),
  }
}

/** The empty name, which no surface can list, for an unknown route. */
function nameOf({ method, is404, routeOptions }: FastifyRequest, prefix: string): string {
  if (is404 || routeOptions.url === undefined) return ''
  return `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url.slice(prefix.length) || '/'}`
}
