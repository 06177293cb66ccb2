import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * Lets running requests finish before the app closes, on every address that it listens on (Fastify itself waits only for the first).
 * Requests that still run after `milliseconds` lose their connection.
 */
export function drainOnClose(app: FastifyInstance, milliseconds: number): void {
  // Not a set: one whose entries come and go is built again every few requests, and the tables that it leaves hold on to ended requests until
  // the whole heap is marked.
  const working: (ServerResponse | undefined)[] = []
  const replace = (found: ServerResponse | undefined, by: ServerResponse | undefined) => {
    const at = working.indexOf(found)
    working[at === -1 ? working.length : at] = by
  }
  const running = () => working.filter((response) => response !== undefined)
  let drained: (() => void) | undefined

  function ended(this: ServerResponse): void {
    replace(this, undefined)
    if (drained !== undefined && running().length === 0) drained()
  }

  app.addHook('onRequest', (_request, reply, done) => {
    replace(undefined, reply.raw)
    reply.raw.on('close', ended)
    done()
  })

  app.addHook('preClose', async () => {
    if (running().length === 0) return
    const deadline = setTimeout(() => {
      const late = running()
      app.log.error(
        { requests: late.length, milliseconds },
        `Requests did not finish within ${milliseconds} ms; their connections are cut`,
      )
      for (const response of late) response.destroy()
    }, milliseconds)
    await new Promise<void>((resolve) => {
      drained = resolve
    })
    clearTimeout(deadline)
  })
}
