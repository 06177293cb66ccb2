import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GrainlineError } from '../../errors.js'

/** Every route of the surfaces: its path as registered, in segments, and its methods. */
export type RouteTable = readonly { readonly segments: readonly string[]; readonly methods: readonly string[] }[]

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
