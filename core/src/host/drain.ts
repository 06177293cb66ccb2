import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * Lets running requests finish before the app closes, on every address that it listens on (Fastify itself waits only for the first).
 * Requests that still run after `milliseconds` lose their connection.
 */
export function drainOnClose(app: FastifyInstance, milliseconds: number): void {
  const working = new Set<ServerResponse>()
  let drained: () => void = () => undefined

  app.addHook('onRequest', (_request, reply, done) => {
    working.add(reply.raw)
    reply.raw.once('close', () => {
      working.delete(reply.raw)
      if (working.size === 0) drained()
    })
    done()
  })

  app.addHook('preClose', async () => {
    if (working.size === 0) return
    const deadline = setTimeout(() => {
      app.log.error(
        { requests: working.size, milliseconds },
        `Requests did not finish within ${milliseconds} ms; their connections are cut`,
      )
      for (const response of working) response.destroy()
    }, milliseconds)
    await new Promise<void>((resolve) => {
      drained = resolve
    })
    clearTimeout(deadline)
  })
}
