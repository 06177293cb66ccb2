import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
}

/** A collector that stores the received spans. */
export async function collector() {
  const spans: Span[] = []
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const text = Buffer.concat(pieces).toString()
    bodies.push(text)
    type Sent = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    for (const { scopeSpans } of (JSON.parse(text) as Sent).resourceSpans)
      for (const { spans: sent } of scopeSpans) spans.push(...sent)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0)
  await once(server, 'listening')
  return { spans, bodies, url: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
