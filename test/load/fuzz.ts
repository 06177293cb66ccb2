import { random } from '../rest/mutate.js'
import { shopModel } from '../rest/shop.js'
import { Client, type Reply } from './client.js'
import { hostileRequest, operationsOf } from './hostile.js'
import { startWatched } from './server.js'

const CONNECTIONS = 16

/**
 * Sends `count` hostile requests to every route of a running server. Fails on a crash, an unexpected 5xx, a blocked event loop, or growing
 * memory.
 */
export async function fuzz(count: number, seed = 20261121): Promise<string> {
  const server = await startWatched({ MAX_SESSIONS: '100', SESSION_TTL_SECONDS: '20', SESSION_CLEANUP_INTERVAL: '5' })
  const client = new Client(server.url, CONNECTIONS)
  const next = random(seed)
  const statuses = new Map<number, number>()
  let ids = await freshIds(client)
  const operations = operationsOf(await client.json('GET', '/openapi.json'))

  async function ask(from: number, to: number): Promise<void> {
    let sent = from
    const worker = async () => {
      while (sent < to) {
        const index = sent++
        // Hostile requests may delete the session and the model.
        if (index % 200 === 0) ids = await freshIds(client)
        const request = hostileRequest(operations, ids, next)
        const reply = await client.send(request.method, request.path, request.body, request.headers)
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        const fault = faultOf(reply)
        if (fault) throw new Error(`request ${index}: ${fault}\n${JSON.stringify(request).slice(0, 2000)}`)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  }

  // In the first fifth, caches fill and code is compiled; after it the memory must not grow.
  await ask(0, count / 5)
  const before = await server.watch()
  await ask(count / 5, count)
  const after = await server.watch()
  client.close()
  server.kill('SIGTERM')
  const code = await server.ended
  if (code !== 0) throw new Error(`the server ended with ${code}`)
  const grown = (after.heapUsed - before.heapUsed) / 1024 / 1024
  if (grown > 32) throw new Error(`the heap grew by ${grown.toFixed(1)} MB`)
  if (after.ownStallMs > 100) throw new Error(`the event loop stood still for ${after.ownStallMs.toFixed(0)} ms of our own`)
  const counted = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${status} × ${times}`)
  return `${count} hostile requests: ${counted.join(', ')}; heap ${mb(before.heapUsed)} → ${mb(after.heapUsed)}, longest stall of the event loop ${after.ownStallMs.toFixed(0)} ms of our own, ${after.stallMs.toFixed(0)} ms by the clock`
}

async function freshIds(client: Client): Promise<Record<string, string>> {
  const { session_id = '' } = await client.json<{ session_id?: string }>('POST', '/v1/sessions', {}).catch(() => ({}) as never)
  const loaded = await client.send('POST', `/v1/sessions/${session_id}/models`, JSON.stringify({ model_json: shopModel }))
  const { model_id = '' } = JSON.parse(loaded.text || '{}') as { model_id?: string }
  return { session_id, model_id, name: 'Region', page: 'query' }
}

/** 502 to 504 are errors of a database; any other status above 499 is an error of ours. */
function faultOf({ status, type, text, complete }: Reply): string | undefined {
  if (!complete) return 'the answer was cut off'
  if (status === 500 || status === 501 || status > 504) return `${status} ${text}`
  if (status >= 400 && !type.startsWith('application/problem+json')) return `${status} without a reason: ${text.slice(0, 200)}`
  return undefined
}

const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
