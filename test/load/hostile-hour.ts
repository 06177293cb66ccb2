import { random } from '../rest/mutate.js'
import { shopModel } from '../rest/shop.js'
import { Client } from './client.js'
import { type HostileRequest, hostileRequest, operationsOf } from './hostile.js'
import { startWatched } from './server.js'

const CLIENTS = 16
const MB = 1024 * 1024

/**
 * Sixteen clients with generated hostile requests, large valid models, bodies of hundreds of thousands of keys, long lists and SQL, for so many
 * minutes, against a server with a heap of 1 GB. Fails when the server ends, when it does not answer /health, or with a 500.
 */
export async function hostileHour(minutes: number, seed = 20261122): Promise<string> {
  const limits = { MAX_SESSIONS: '100', SESSION_TTL_SECONDS: '60', SESSION_CLEANUP_INTERVAL: '5', MODEL_SQL: 'allow' }
  const server = await startWatched({ ...limits, NODE_OPTIONS: '--max-old-space-size=1024' })
  const next = random(seed)
  const client = new Client(server.url, CLIENTS)
  const operations = operationsOf(await client.json('GET', '/openapi.json'))
  const statuses = new Map<number, number>()
  let ids: Record<string, string> = {}
  const until = performance.now() + minutes * 60_000
  const attack = async (): Promise<void> => {
    while (performance.now() < until) {
      if (next() < 0.02) ids = await freshIds(client, ids)
      const request = next() < 0.9 ? hostileRequest(operations, ids, next) : giant(ids, next)
      const { status, text } = await client.send(request.method, request.path, request.body, request.headers)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 500) throw new Error(`${request.method} ${request.path}: ${text.slice(0, 500)}`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, attack))
  await client.json('GET', '/health')
  const { heapUsed, rss, ownStallMs } = await server.watch()
  client.close()
  server.kill('SIGTERM')
  if ((await server.ended) !== 0) throw new Error('the server did not end well')
  const counted = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${status} × ${times}`)
  return `${minutes} minutes: ${counted.join(', ')}; heap ${(heapUsed / MB).toFixed(0)} MB, resident ${(rss / MB).toFixed(0)} MB, longest stall ${ownStallMs.toFixed(0)} ms of our own`
}

async function freshIds(client: Client, before: Record<string, string>): Promise<Record<string, string>> {
  const opened = await client.send('POST', '/v1/sessions', '{}')
  if (opened.status !== 201) return before
  const { session_id = '' } = JSON.parse(opened.text) as { session_id?: string }
  const loaded = await client.send('POST', `/v1/sessions/${session_id}/models`, JSON.stringify({ model_json: shopModel }))
  const { model_id = '' } = JSON.parse(loaded.text || '{}') as { model_id?: string }
  return { session_id, model_id, name: 'Region', page: 'query' }
}

/** What is large and valid, or large and not. */
function giant(ids: Readonly<Record<string, string>>, next: () => number): HostileRequest {
  const size = Math.floor(next() * 20_000)
  const columns = Object.fromEntries(
    Array.from({ length: Math.min(size, 9000) }, (_, i) => [`c${i}`, { code: 'c', abstractType: 'int' }]),
  )
  const objects = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`O${i}`, { code: `t${i}`, columns }]))
  const list = { field: 'Sale Id', op: 'in', value: Array.from({ length: size * 5 }, (_, i) => i) }
  const bodies: readonly (readonly [path: string, body: unknown])[] = [
    [`/v1/sessions/${ids.session_id}/models`, { model_json: { name: `m${size}`, dataObjects: objects } }],
    ['/v1/validate', { model_json: columns }],
    ['/v1/validate', columns],
    ['/v1/query/sql', { session_id: ids.session_id, query: { select: { measures: ['Revenue'] }, where: [list] } }],
    ['/v1/query/semantic-ql', { session_id: ids.session_id, sql: `SELECT ${'"Region",'.repeat(size)} "Region" FROM shop` }],
    ['/v1/query/sql', { query: columns }],
  ]
  const [path, body] = bodies[Math.floor(next() * bodies.length)]!
  return { method: 'POST', path, body: JSON.stringify(body), headers: {} }
}
