import { askWithin } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'
import type { Upstream } from './upstream.js'

/** Requests to the server that serves the page. */
export function forwardWithin(app: FastifyInstance): Upstream {
  return ({ path, ...request }) => askWithin(app, { ...request, url: app.prefix + path })
}
