import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { createHost } from '@grainline/core'
import { type Measurement, percentile } from './measurement.js'
import { processorMs } from './processor-time.js'
import { driverStart, type StartedServer } from './server.js'

const root = path.resolve(import.meta.dirname, '../..')
const AIRLINES = path.join(root, 'examples/flights/data/airlines.parquet')
const VIEW = `CREATE VIEW airlines AS SELECT * FROM read_parquet('${AIRLINES}')`
const CHUNKS = 60
const PER_CHUNK = 50
const JSON_HEADERS = { 'content-type': 'application/json' }
/** Sixteen airlines: nearly all of the time is overhead of the query. */
const question = { select: { fields: ['Airlines.Code', 'Airlines.Name'] }, order_by: [{ field: 'Airlines.Code' }], limit: 20 }

type Start = (environment: Readonly<Record<string, string>>) => Promise<StartedServer>

/**
 * A small query, compiled before and not answered before, in the process and over REST, compared with the driver that runs the same
 * statement.
 */
export async function smallQuestion(start: Start): Promise<readonly Measurement[]> {
  const server = await start({ CACHE_BACKEND: 'noop' })
  const host = await hostOfAirlines()
  const { sql } = await host.service.compile({ asker: undefined, target: {}, query: question })
  const driver = await driverOfAirlines()
  const route = await driverStart({ INIT: VIEW, SQL: sql })
  const asks: Readonly<Record<string, Asking>> = {
    driver: { spent: ownMs, ask: () => driver.ask(sql) },
    'in the process': {
      spent: ownMs,
      ask: () => rowsOf(host.service.execute({ asker: undefined, target: {}, query: question })),
    },
    'by a route of the driver': { spent: () => processorMs(route.pid), ask: () => answerOf(route.url) },
    'over REST': { spent: () => processorMs(server.pid), ask: () => answerOf(`${server.url}/v1/query/execute`) },
  }
  try {
    const least = await undisturbed(asks)
    const alone = least.get('driver') ?? Number.NaN
    return Object.entries(GOALS).map(([name, target]) => {
      const value = (least.get(name) ?? Number.NaN) / alone
      const note = `${least.get(name)?.toFixed(0)} µs beside ${alone.toFixed(0)}`
      return {
        name: `a small question, not kept, ${name}, processor time beside the driver`,
        value,
        unit: '×',
        target,
        better: 'less',
        note,
      }
    })
  } finally {
    driver.close()
    await Promise.all([host.close(), server.stop(), route.stop()])
  }
}

/** The route of the driver is a lower bound of what an answer over HTTP takes. */
const GOALS: Readonly<Record<string, number | undefined>> = {
  'in the process': 1.2,
  'by a route of the driver': undefined,
  'over REST': 1.6,
}

interface Asking {
  /** Processor time in milliseconds of the process that answers. */
  readonly spent: () => number
  readonly ask: () => Promise<unknown>
}

/** Linux updates the processor time of a running process with a delay. */
function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function hostOfAirlines() {
  const names = ['flights', 'airlines', 'airports', 'planes', 'weather', 'hours']
  const tables = Object.fromEntries(names.map((name) => [name, path.join(root, `examples/flights/data/${name}.parquet`)]))
  const host = await createHost(
    {
      base: root,
      plugins: ['@grainline/dialect-duckdb', { use: '@grainline/vendor-duckdb', with: { tables } }],
      settings: { QUERY_EXECUTE: true },
      preload: [{ session: 'flights', model: 'examples/flights/model.yaml' }],
    },
    { environment: { process: {}, dotenv: {} } },
  )
  await host.start()
  return host
}

/** The code of a program that uses the driver directly: one prepared statement, run each time. */
async function driverOfAirlines() {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(VIEW)
  let prepared: { readonly sql: string; readonly statement: Awaited<ReturnType<typeof connection.prepare>> } | undefined
  return {
    async ask(sql: string) {
      if (prepared?.sql !== sql) prepared = { sql, statement: await connection.prepare(sql) }
      return (await prepared.statement.runAndReadAll()).getRows()
    },
    close: () => connection.closeSync(),
  }
}

async function rowsOf(asked: ReturnType<Awaited<ReturnType<typeof hostOfAirlines>>['service']['execute']>) {
  let rows = 0
  for await (const batch of (await asked).batches) rows += batch.rowCount
  if (rows === 0) throw new Error('the question has no rows')
}

async function answerOf(url: string) {
  const answer = await fetch(url, { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(question) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  await answer.arrayBuffer()
}

/** Microseconds of processor time of one query, by chunk in turns: the fastest tenth. */
async function undisturbed(asks: Readonly<Record<string, Asking>>): Promise<ReadonlyMap<string, number>> {
  const taken = new Map(Object.keys(asks).map((name) => [name, [] as number[]]))
  for (let chunk = -CHUNKS / 4; chunk < CHUNKS; chunk++) {
    for (const [name, { spent, ask }] of Object.entries(asks)) {
      const before = spent()
      for (let i = 0; i < PER_CHUNK; i++) await ask()
      if (chunk >= 0) taken.get(name)?.push(((spent() - before) / PER_CHUNK) * 1000)
    }
  }
  return new Map(
    [...taken].map(([name, times]) => [
      name,
      percentile(
        times.toSorted((a, b) => a - b),
        0.1,
      ),
    ]),
  )
}
