/** Which routes a surface opts out of authentication, and which it keeps for administrators, each by its name: `GET /health`. */
import type { FastifyRequest } from 'fastify'
import type { HttpSurface } from '../points.js'

export interface RouteRules {
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
