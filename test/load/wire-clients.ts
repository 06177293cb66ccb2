import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../bench/measurement.js'
import { ask, connectReady, query, rowsOf } from '../pgwire/raw-client.js'
import { healthDuring } from './health.js'
import { ordersConfig } from './orders.js'
import { startWatched } from './server.js'

const CONNECTIONS = 64
const POOL = 5
const LARGE = 'SELECT "Orders"."Id", "Orders"."Country", "Orders"."Sales", "Orders"."Day" FROM sales LIMIT 20000'
const SMALL = 'SELECT "Country", "Orders" FROM sales ORDER BY 1 LIMIT 3'
const MOST_STALL_MS = 100

/**
 * Clients on 64 connections, every tenth of which disconnects in the middle of its answer. Fails if resources remain, or other clients
 * wait.
 */
export async function wireClients(seconds: number): Promise<string> {
  const settings = {
    PGWIRE_CATALOG: 'off',
    PGWIRE_MAX_CONNECTIONS: String(CONNECTIONS),
    PGWIRE_CLIENT_MAX_CONNECTIONS: String(CONNECTIONS),
    DB_POOL_SIZE: String(POOL),
  }
  const server = await startWatched(
    { PGWIRE_ENABLED: 'true', PGWIRE_PORT: '0', PGWIRE_HOST: '127.0.0.1', ...settings },
    ordersConfig(50_000),
  )
  const port = await server.wire()
  const seen = { answered: 0, cut: 0, busy: 0, full: 0 }
  const times = { small: [] as number[], large: [] as number[] }

  /** One client after the other. */
  async function seat(number: number, until: number): Promise<void> {
    for (let turn = number; performance.now() < until; turn++) {
      const client = await connectReady(port, { database: 'sales' }).catch(() => undefined)
      if (client === undefined) {
        // The place of a client that disconnected is free a moment later.
        seen.full++
        await sleep(50)
        continue
      }
      const size = turn % 3 === 0 ? 'large' : 'small'
      const asked = performance.now()
      client.send(query(size === 'large' ? LARGE : SMALL))
      if (turn % 10 === 0) {
        await client.next()
        seen.cut++
      } else {
        const answer = await client.until('Z')
        const fault = answer.find(({ type }) => type === 'E')?.body.toString()
        if (fault === undefined) {
          seen.answered++
          times[size].push(performance.now() - asked)
        } else if (/pool|connection/i.test(fault)) seen.busy++
        else throw new Error(fault)
      }
      client.end()
    }
  }
  const run = (length: number) => {
    const until = performance.now() + length * 1000
    return Promise.all(Array.from({ length: CONNECTIONS }, (_, number) => seat(number, until)))
  }
  const quiet = async () => {
    await sleep(2000)
    return server.watch()
  }

  await run(Math.min(30, seconds / 5))
  const before = await quiet()
  seen.answered = seen.cut = seen.busy = seen.full = times.small.length = times.large.length = 0
  const health = await healthDuring(server.url, () => run(seconds))
  const { ownStallMs } = await server.watch()
  const after = await quiet()
  const served = await freeAgain(port)
  server.kill('SIGTERM')
  if ((await server.ended) !== 0) throw new Error('the server did not end well')
  if (served !== CONNECTIONS) throw new Error(`${served} of ${CONNECTIONS} connections could be used afterwards`)
  const grown = (after.heapUsed - before.heapUsed) / 1024 / 1024
  if (grown > 32) throw new Error(`the heap grew by ${grown.toFixed(1)} MB`)
  for (const kind of ['sockets', 'resources'] as const) {
    if (after[kind] > before[kind]) throw new Error(`${after[kind]} ${kind} are open, and ${before[kind]} were before`)
  }
  if (ownStallMs > MOST_STALL_MS) throw new Error(`others waited for ${ownStallMs.toFixed(0)} ms of our own; ${health}`)
  return `${seen.answered} answers and ${seen.cut} clients that hung up in the middle on ${CONNECTIONS} connections in ${seconds} s: 3 rows ${told(times.small)}, 20,000 rows ${told(times.large)}; ${seen.full} times no seat was free yet, ${seen.busy} told that the pool is exhausted; heap ${mb(before.heapUsed)} → ${mb(after.heapUsed)}, memory ${mb(before.rss)} → ${mb(after.rss)}, open sockets ${before.sockets} → ${after.sockets}, other handles ${before.resources} → ${after.resources}; ${health}, longest turn of our own ${ownStallMs.toFixed(0)} ms`
}

/** How many of all connections are accepted and answered at once: more than the pool has connections, so none of those was lost. */
async function freeAgain(port: number): Promise<number> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectReady(port, { database: 'sales' })))
  const answers = await Promise.all(clients.map((client) => ask(client, SMALL)))
  for (const client of clients) client.end()
  return answers.filter((answer) => rowsOf(answer).length === 3).length
}

function told(taken: readonly number[]): string {
  const sorted = taken.toSorted((a, b) => a - b)
  return `p50 ${percentile(sorted, 0.5).toFixed(0)} ms, p99 ${percentile(sorted, 0.99).toFixed(0)} ms`
}

const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
