import { GrainlineError } from '@grainline/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problem.js'

/** Every route of the surface: its path as registered, in segments, and its methods. */
export type RouteTable = { readonly segments: readonly string[]; readonly methods: readonly string[] }[]

export function recordRoutes(app: FastifyInstance, table: RouteTable): void {
  app.addHook('onRoute', ({ url, method }) => {
    table.push({ segments: url.split('/'), methods: [method].flat() })
  })
}

/** 405 with `Allow` where the path exists under another method, else 404; either before the body is looked at. */
export function answerUnknownRoutes(app: FastifyInstance, table: RouteTable): void {
  const refuse = (request: FastifyRequest, reply: FastifyReply) => sendProblem(refusalOf(request, reply, table), request, reply)
  app.setNotFoundHandler(refuse)
  app.addHook('onRequest', async (request, reply) => (request.is404 ? refuse(request, reply) : undefined))
}

function refusalOf({ url, method }: FastifyRequest, reply: FastifyReply, table: RouteTable): GrainlineError {
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
