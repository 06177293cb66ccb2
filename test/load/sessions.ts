import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../bench/measurement.js'
import { inDuckDb, ordersModel } from '../bench/pgwire-orders.js'
import { shopModel, shopQuery } from '../rest/shop.js'
import { Client } from './client.js'
import { restConfig, startWatched } from './server.js'

const CONNECTIONS = 64
/** Refusals of a query that waited too long. */
const NO_PLACE: ReadonlySet<string> = new Set(['POOL_EXHAUSTED', 'TOO_MANY_STATEMENTS'])

/** The model, and a query with so many groups. */
interface Subject {
  readonly config?: string
  readonly model: { readonly model_json: unknown } | { readonly model_yaml: string }
  readonly query: object
  readonly groups: number
}

const shop: Subject = { model: { model_json: shopModel }, query: shopQuery, groups: 3 }

export const aMillionOrders = (): Subject => ({
  config: restConfig({ init: inDuckDb(1_000_000) }),
  model: { model_yaml: ordersModel },
  query: { select: { dimensions: ['Country'], measures: ['Orders'] } },
  groups: 5,
})

/**
 * Sessions that open and close on 64 connections, each compiling and executing. Fails if an answer is wrong or if memory or resources
 * remain.
 */
export interface SessionsLoad {
  readonly resident: number
  readonly peak: number | undefined
  readonly questions: number
  /** All figures in one sentence. */
  readonly summary: string
}

/** Sessions that come and go on 64 connections, each compiling and executing. Fails when an answer is wrong or when something stays behind. */
export async function sessions(seconds: number, { config, model, query: asked, groups }: Subject = shop): Promise<SessionsLoad> {
  const server = await startWatched({}, config)
  let client = new Client(server.url, CONNECTIONS)
  const taken = { compile: [] as number[], execute: [] as number[] }
  let opened = 0
  let busy = 0

  async function come(until: number): Promise<void> {
    while (performance.now() < until) {
      const { session_id } = await client.json<{ session_id: string }>('POST', '/v1/sessions', {})
      opened += 1
      const session = `/v1/sessions/${session_id}`
      const { model_id } = await client.json<{ model_id: string }>('POST', `${session}/models`, model)
      for (let i = 0; i < 10; i++) {
        const query = { ...asked, limit: 1 + Math.floor(Math.random() * 1000) }
        await timed(taken.compile, () => client.json('POST', `${session}/query/sql`, { model_id, query }))
        const { status, text } = await timed(taken.execute, () =>
          client.send('POST', `${session}/query/execute`, JSON.stringify({ model_id, query })),
        )
        const { rows, code } = JSON.parse(text) as { readonly rows?: unknown[][]; readonly code?: string }
        // Sixty-four clients wait for five connections; on a machine that is busy otherwise some wait too long, and get an error.
        if (NO_PLACE.has(code ?? '')) busy += 1
        else if (status !== 200 || rows?.length !== Math.min(groups, query.limit))
          throw new Error(`a wrong answer: ${status} ${text}`)
      }
      await client.json('DELETE', session)
    }
  }

  const run = (length: number) => {
    const until = performance.now() + length * 1000
    return Promise.all(Array.from({ length: CONNECTIONS }, () => come(until)))
  }
  /** What is held once every client has gone. */
  const quiet = async () => {
    client.close()
    await sleep(2000)
    return server.watch()
  }
  await run(Math.min(30, seconds / 5))
  const before = await quiet()
  taken.compile.length = taken.execute.length = opened = busy = 0
  client = new Client(server.url, CONNECTIONS)
  await run(seconds)
  const after = await quiet()
  const { sessions: left } = await new Client(server.url, 1).json<{ sessions: unknown[] }>('GET', '/v1/sessions')
  const peak = server.peak()
  server.kill('SIGTERM')
  if ((await server.ended) !== 0) throw new Error('the server did not end well')
  if (left.length > 0) throw new Error(`${left.length} sessions are left`)
  const grown = (after.heapUsed - before.heapUsed) / 1024 / 1024
  if (grown > 32) throw new Error(`the heap grew by ${grown.toFixed(1)} MB`)
  for (const kind of ['sockets', 'resources'] as const) {
    if (after[kind] > before[kind]) throw new Error(`${after[kind]} ${kind} are open, and ${before[kind]} were before`)
  }
  const questions = taken.compile.length + taken.execute.length
  const summary = [
    `${opened} sessions and ${questions} questions on ${CONNECTIONS} connections in ${seconds} s: compile ${times(taken.compile)}, execute ${times(taken.execute)}`,
    `heap ${mb(before.heapUsed)} → ${mb(after.heapUsed)}, resident ${mb(after.rss)}, at most ${peak === undefined ? 'not told here' : mb(peak)}`,
    `open sockets ${before.sockets} → ${after.sockets}, other handles ${before.resources} → ${after.resources}`,
    ...(busy > 0 ? [`${busy} told that there is no place`] : []),
  ].join('; ')
  return { resident: after.rss, peak, questions, summary }
}

async function timed<T>(taken: number[], work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work()
  taken.push(performance.now() - started)
  return result
}

function times(taken: readonly number[]): string {
  const sorted = taken.toSorted((a, b) => a - b)
  return `p50 ${percentile(sorted, 0.5).toFixed(0)} ms, p99 ${percentile(sorted, 0.99).toFixed(0)} ms`
}

const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
