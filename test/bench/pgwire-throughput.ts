/**
 * A million rows of five columns over the Postgres wire, against a real PostgreSQL with the same rows, turn by turn in one run; and the time
 * of a tiny question. `node --conditions=@grainline/source --import tsx test/bench/pgwire-throughput.ts`
 */
import { execFileSync, fork } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { HostConfig } from '@grainline/core'
import { startServer } from '../interop/postgres/server.js'
import { bind, describe, execute, parse, query, startup, sync } from '../pgwire/raw-client.js'
import { startPgwire } from '../pgwire/server.js'

const ROWS = Number(process.env.ROWS ?? 1_000_000)
const ROUNDS = 5

const model = `
version: 1.0
name: sales
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Country: { code: country, abstractType: string }
      Sales: { code: sales, abstractType: float }
      Day: { code: day, abstractType: date }
      Price: { code: price, abstractType: float, sqlType: 'decimal(12,2)' }
dimensions:
  Country: { dataObject: Orders, column: Country }
measures:
  Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
`
const countries = ['DE', 'US', "Côte d'Ivoire", 'FR', 'United Kingdom of G.B.']
const listed = countries.map((name) => `'${name.replace("'", "''")}'`).join(', ')
const inDuckDb = `CREATE TABLE orders AS SELECT i AS id, ([${listed}])[1 + i % 5] AS country, (i * 1.37)::DOUBLE AS sales,
  DATE '2020-01-01' + (i % 1500)::INTEGER AS day, (i * 3 % 1000000 / 100.0)::DOUBLE AS price FROM range(${ROWS}) t(i)`
const inPostgres = `CREATE TABLE orders AS SELECT i AS id, (ARRAY[${listed}])[1 + i % 5] AS country, (i * 1.37)::float8 AS sales,
  DATE '2020-01-01' + (i % 1500)::int AS day, (i * 3 % 1000000 / 100.0)::float8 AS price FROM generate_series(0::bigint, ${ROWS - 1}) t(i)`

const columns = ['Id', 'Country', 'Sales', 'Day', 'Price']
const ours = `SELECT ${columns.map((name) => `"Orders"."${name}"`).join(', ')} FROM sales LIMIT ${ROWS}`
const theirs = `SELECT id, country, sales, day, price FROM orders LIMIT ${ROWS}`

// The service runs in a process of its own, as PostgreSQL does: the client's time is nobody's.
if (process.env.SERVE === 'yes') await serve()
const child = fork(import.meta.filename, { env: { ...process.env, SERVE: 'yes' } })
const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(Number(message))))

async function serve(): Promise<never> {
  const plugins: HostConfig['plugins'] = [{ use: '@grainline/vendor-duckdb', with: { init: [inDuckDb] } }]
  const file = path.join(tmpdir(), `grainline-bench-${process.pid}.yaml`)
  writeFileSync(file, model)
  const grainline = await startPgwire({
    plugins,
    preload: [{ session: 'sales', model: file }],
    settings: { PGWIRE_CATALOG: 'off' },
  })
  rmSync(file)
  process.send?.(grainline.port)
  await new Promise((resolve) => process.once('disconnect', resolve))
  process.exit()
}

const server = await startServer()
const postgres = typeof server === 'string' ? undefined : server
if (typeof server === 'string') console.log(`no PostgreSQL to compare with: ${server}`)
else {
  const psql = (sql: string) => execFileSync('psql', ['-X', '-q', '-h', server.socket, '-U', 'postgres', '-c', sql])
  psql(inPostgres)
  psql('VACUUM ANALYZE orders')
}

type Target = net.NetConnectOpts
const grainlineAt: Target = { host: '127.0.0.1', port }
const postgresAt: Target | undefined = postgres && { path: `${postgres.socket}/.s.PGSQL.5432` }

const simple = (sql: string) => query(sql)
const extended = (sql: string) => Buffer.concat([parse(sql), bind({ formats: [1] }), describe('P'), execute(), sync()])
const kinds: Record<string, (sql: string) => Buffer> = {
  'text, simple': simple,
  'binary, extended': extended,
  'COPY text': (sql) => simple(`COPY (${sql}) TO STDOUT`),
  'COPY binary': (sql) => simple(`COPY (${sql}) TO STDOUT (FORMAT binary)`),
}

for (const [name, say] of Object.entries(kinds)) {
  const [mine, other]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    mine.push((await drain(grainlineAt, 'sales', say(ours))).ms)
    if (postgresAt) other.push((await drain(postgresAt, 'postgres', say(theirs))).ms)
  }
  const [a, b] = [median(mine), median(other)]
  const ratio = postgresAt ? `, PostgreSQL ${b.toFixed(0)} ms, throughput ratio ${(b / a).toFixed(2)}` : ''
  console.log(`${name}: ${a.toFixed(0)} ms, ${((ROWS / a) * 1000).toExponential(2)} rows/s${ratio}`)
}

for (const [name, sql] of [
  ['SELECT 1', 'SELECT 1'],
  ['SHOW TimeZone', 'SHOW TimeZone'],
  ['a question of one row', 'SELECT "Country", "Orders" FROM sales WHERE "Country" = \'DE\''],
  ['a raw row', 'SELECT "Orders"."Id" FROM sales LIMIT 1'],
] as const) {
  const times = await latencies(grainlineAt, 'sales', sql)
  console.log(
    `${name}: p50 ${times[times.length >> 1]!.toFixed(3)} ms, p99 ${times[Math.floor(times.length * 0.99)]!.toFixed(3)} ms`,
  )
}

child.disconnect()
await postgres?.stop()

/** Says something and reads until the server is ready again, counting rows without keeping them. */
async function drain(target: Target, database: string, said: Buffer): Promise<{ readonly ms: number; readonly rows: number }> {
  const socket = net.connect(target)
  let rows = 0
  let began = 0
  const result = await new Promise<number>((resolve, reject) => {
    let head: Buffer = Buffer.alloc(0)
    let skip = 0
    socket.on('connect', () => socket.write(startup({ user: 'postgres', database })))
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      let data = chunk
      if (skip >= data.length) {
        skip -= data.length
        return
      }
      let at = skip
      skip = 0
      if (head.length > 0) {
        data = Buffer.concat([head, data.subarray(at)])
        at = 0
        head = Buffer.alloc(0)
      }
      for (;;) {
        if (data.length - at < 5) {
          head = data.subarray(at)
          return
        }
        const code = data[at]
        const length = data.readUInt32BE(at + 1) + 1
        if (code === 0x44 || code === 0x64) rows++
        if (code === 0x45) return reject(new Error(data.toString('latin1', at, at + 200)))
        if (code === 0x5a) {
          if (began > 0) return resolve(performance.now() - began)
          began = performance.now()
          socket.write(said)
        }
        if (data.length - at < length) {
          skip = length - (data.length - at)
          return
        }
        at += length
      }
    })
  })
  socket.destroy()
  if (rows < ROWS) throw new Error(`${rows} rows of ${ROWS}`)
  return { ms: result, rows }
}

/** Sorted times of a question that is asked again and again. */
async function latencies(target: Target, database: string, sql: string): Promise<number[]> {
  const socket = net.connect(target)
  socket.setNoDelay(true)
  const times: number[] = []
  let asked = 0
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', () => socket.write(startup({ user: 'postgres', database })))
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      if (chunk.includes(Buffer.from('E\0\0'))) return reject(new Error(chunk.toString('latin1')))
      if (chunk[chunk.length - 6] !== 0x5a) return
      // The first ones warm up.
      if (asked++ > 200) times.push(performance.now() - sent)
      if (times.length >= 2000) return resolve()
      sent = performance.now()
      socket.write(query(sql))
    })
    let sent = 0
  })
  socket.destroy()
  return times.toSorted((a, b) => a - b)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
