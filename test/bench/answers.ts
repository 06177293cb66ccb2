import { once } from 'node:events'
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { bareRead } from './bare-read.js'
import type { Measurement } from './measurement.js'
import { processorMs } from './processor-time.js'
import { bareStart, builtStart, isBuilt, npmStart, type StartedServer } from './server.js'
import { smallQuestion } from './small-question.js'

const WARM_UP_SECONDS = 1
const SECONDS = 3
const ROUNDS = 5
const ROWS = 100_000
const FLIGHTS = fileURLToPath(new URL('../../examples/flights/data/flights.parquet', import.meta.url))
const JSON_HEADERS = { 'content-type': 'application/json' }

const question = {
  select: { dimensions: ['Origin Airport', 'Month'], measures: ['Average Departure Delay', 'Cancellation Rate'] },
  order_by: [{ field: 'Origin Airport' }, { field: 'Month' }],
  limit: 20,
}
const fields = ['Scheduled At', 'Carrier', 'Flight Number', 'Tail Number', 'Departure Delay', 'Distance']
const manyRows = { select: { fields: fields.map((name) => `Flights.${name}`) }, limit: ROWS }
/** The limit of the time of an answer in this format, as a multiple of the time of the bare read. */
const FORMATS: Readonly<Record<string, number>> = { json: 3, ndjson: 3, csv: 3, tsv: 3, arrow: 1.4, parquet: 4 }
/** The share of the throughput of a bare route that a cached answer must reach. */
const KEPT: Readonly<Record<string, number>> = { 'query/sql': 0.75, 'query/execute': 0.6 }

/** A service without a cache, and one that caches everything. */
const COLD = { COMPILE_CACHE_MAX_ENTRIES: '0', CACHE_BACKEND: 'noop' }
const KEEPING = { CACHE_BACKEND: 'memory', CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl' }

/**
 * Queries per second over HTTP compared with a route that only reads and writes JSON of the same size, and many rows compared with the bare
 * database.
 */
export async function answerBench(): Promise<readonly Measurement[]> {
  const start = isBuilt() ? builtStart : npmStart
  const cold = await start(COLD)
  const keeping = await start(KEEPING)
  try {
    await beSureItIsKept(keeping.url)
    const found: Measurement[] = []
    for (const route of Object.keys(KEPT)) {
      found.push(...(await besideBare(route, { cold: cold.url, cached: keeping.url })), ...(await processorTime(route, keeping)))
    }
    return [...found, ...(await smallQuestion(start)), ...(await inEveryFormat(cold.url))]
  } finally {
    await Promise.all([cold.stop(), keeping.stop()])
  }
}

async function beSureItIsKept(url: string): Promise<void> {
  const ask = async () => JSON.parse((await post(`${url}/v1/query/execute`, question)).toString()) as { cached: boolean }
  const [first, second] = [await ask(), await ask()]
  if (first.cached || !second.cached) throw new Error('the answer is not kept')
}

async function besideBare(route: string, servers: Readonly<Record<string, string>>): Promise<Measurement[]> {
  const urls = Object.entries(servers).map(([name, url]) => [name, `${url}/v1/${route}`] as const)
  const bare = await bareStart(JSON.parse((await post(urls[0]![1], question)).toString()) as object)
  try {
    const found: Measurement[] = []
    for (const connections of [1, 16]) {
      const most = await shoot(bare.url, connections)
      const at = `${connections} connection${connections > 1 ? 's' : ''}`
      for (const [name, url] of urls) {
        const value = await shoot(url, connections)
        found.push({ name: `${route}, ${name}, ${at}`, value, unit: 'requests/s', target: undefined, better: 'more' })
        const target = name === 'cached' ? KEPT[route] : undefined
        found.push({
          name: `${route}, ${name}, ${at}, beside the bare route`,
          value: value / most,
          unit: '×',
          target,
          better: 'more',
        })
      }
      found.push({ name: `the same bytes, bare, ${at}`, value: most, unit: 'requests/s', target: undefined, better: 'more' })
    }
    return found
  } finally {
    await bare.stop()
  }
}

/**
 * The processor time of a bare route as a share of that of a cached answer with the same bytes; the client, which shares the processors, is
 * excluded.
 */
async function processorTime(route: string, keeping: StartedServer): Promise<Measurement[]> {
  const url = `${keeping.url}/v1/${route}`
  const answer = JSON.parse((await post(url, question)).toString()) as object
  const [bare, logging] = [await bareStart(answer), await bareStart(answer, { LOGS: '' })]
  const servers = { ours: { url, pid: keeping.pid }, bare, logging }
  try {
    const least = await leastTimes(servers)
    const note = (name: 'bare' | 'logging') => `${least.ours.toFixed(0)} µs beside ${least[name].toFixed(0)}`
    const line = { unit: '×', better: 'more' } as const
    const name = `${route}, cached, processor time of the bare route beside it`
    return [
      { ...line, name, value: least.bare / least.ours, target: KEPT[route], note: note('bare') },
      { ...line, name: `${name}, where that logs`, value: least.logging / least.ours, target: undefined, note: note('logging') },
    ]
  } finally {
    await Promise.all([bare.stop(), logging.stop()])
  }
}

/** Microseconds per request: the minimum of several rounds in turns. */
async function leastTimes<N extends string>(
  servers: Readonly<Record<N, Pick<StartedServer, 'url' | 'pid'>>>,
): Promise<Readonly<Record<N, number>>> {
  const names = Object.keys(servers) as N[]
  const least = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<N, number>
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of names) {
      const { url, pid } = servers[name]
      const before = processorMs(pid)
      await asked(url, { connections: 16, amount: REQUESTS })
      if (round >= 0) least[name] = Math.min(least[name], ((processorMs(pid) - before) / REQUESTS) * 1000)
    }
  }
  return least
}

const REQUESTS = 6000
const FORMAT_ROUNDS = 15

async function shoot(url: string, connections: number): Promise<number> {
  await asked(url, { connections, duration: WARM_UP_SECONDS })
  return (await asked(url, { connections, duration: SECONDS })).requests.average
}

async function asked(url: string, how: { readonly connections: number; readonly duration?: number; readonly amount?: number }) {
  const result = await autocannon({ url, method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(question), ...how })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result
}

/** Each round runs every format and the bare read in turn. The least time of each is taken, because other load on the machine only adds to it. */
async function inEveryFormat(url: string): Promise<Measurement[]> {
  const answer = JSON.parse((await post(`${url}/v1/query/execute`, manyRows)).toString()) as { sql: string; rows: unknown[] }
  if (answer.rows.length !== ROWS) throw new Error(`${answer.rows.length} rows of ${ROWS}`)
  const bare = await bareRead(answer.sql, [`CREATE VIEW flights AS SELECT * FROM read_parquet('${FLIGHTS}')`])
  const taken = new Map<string, number[]>([
    ['bare', []],
    ...Object.keys(FORMATS).map((format) => [format, []] as [string, number[]]),
  ])
  for (let round = -1; round < FORMAT_ROUNDS; round++) {
    for (const [name, times] of taken) {
      const started = performance.now()
      await (name === 'bare' ? bare.read() : drained(`${url}/v1/query/execute?format=${name}`, manyRows))
      if (round >= 0) times.push(performance.now() - started)
    }
  }
  bare.close()
  const alone = Math.min(...taken.get('bare')!)
  return [...taken].map(([name, times]) => {
    const ms = Math.min(...times)
    const note = `${Math.round((ROWS / ms) * 1000).toLocaleString('en-US')} rows/s`
    return name === 'bare'
      ? { name: '100,000 rows, read by DuckDB and let go', value: ms, unit: 'ms', target: undefined, better: 'less', note }
      : {
          name: `100,000 rows as ${name}, beside the read alone`,
          value: ms / alone,
          unit: '×',
          target: FORMATS[name],
          better: 'less',
          note,
        }
  })
}

async function post(url: string, query: object): Promise<Buffer> {
  const answer = await fetch(url, { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(query) })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${bytes.toString('utf8', 0, 500)}`)
  return bytes
}

/** The answer is received and discarded: the time that a client spends on it is not measured. */
async function drained(url: string, query: object): Promise<void> {
  const request = http.request(url, { method: 'POST', headers: JSON_HEADERS, agent })
  request.end(JSON.stringify(query))
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`)
}

const agent = new http.Agent({ keepAlive: true })
