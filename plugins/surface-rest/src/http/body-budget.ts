import { getHeapStatistics } from 'node:v8'
import { GrainlineError } from '@grainline/core'
import type { FastifyInstance } from 'fastify'

/** Smaller bodies are not counted. */
const SMALL = 256 * 1024

/** All large bodies in progress together may take an eighth of the heap. A body beyond that is refused before it is read. */
export function limitBodies(app: FastifyInstance): void {
  const most = Math.max(64 * 1024 * 1024, getHeapStatistics().heap_size_limit / 8)
  let held = 0
  app.addHook('onRequest', (request, reply, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    const said = encoding === undefined ? Number(length ?? 0) : Number.POSITIVE_INFINITY
    if (!(said > SMALL)) return done()
    const bytes = Math.min(said, request.routeOptions.bodyLimit)
    if (!(bytes > SMALL)) return done()
    if (held > 0 && held + bytes > most) {
      const message = 'Too many large requests are in progress; send this one again in a moment'
      return done(new GrainlineError('MEMORY_LIMIT', message, { context: { retry_after: 1 } }))
    }
    held += bytes
    reply.raw.once('close', () => {
      held -= bytes
    })
    done()
  })
}
