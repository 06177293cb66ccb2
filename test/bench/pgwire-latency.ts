/**
 * Small questions over the Postgres wire, asked again and again on one connection: from the question to ReadyForQuery. With the results
 * cache, without it, and PostgreSQL beside it. `node --conditions=@grainline/source --import tsx test/bench/pgwire-latency.ts`
 */
import net from 'node:net'
import { bind, execute, parse, query, startup, sync } from '../pgwire/raw-client.js'
import { percentile } from './measurement.js'
import { type Orders, ourOrders, theirOrders } from './pgwire-orders.js'

const ROUNDS = 3000
/** Repetitions before the measurement starts. */
const WARM = 500

const question = `SELECT "Country", "Orders" FROM sales WHERE "Country" = 'DE'`
const aggregate = `SELECT country, count(*) FROM orders WHERE country = 'DE' GROUP BY country`
const prepared = (sql: string) => [
  Buffer.concat([parse(sql, { name: 'q' }), sync()]),
  Buffer.concat([bind({ name: 'q', formats: [1] }), execute(), sync()]),
]

const cached = await ourOrders({ rows: 1000, cached: true })
const fresh = await ourOrders({ rows: 1000 })

const theirs = await theirOrders(1000)

for (const [name, server, [first, again = first]] of [
  ['SELECT 1', cached, [query('SELECT 1')]],
  ['SHOW TimeZone', cached, [query('SHOW TimeZone')]],
  ['a question, from the cache', cached, [query(question)]],
  ['a question, prepared, binary, from the cache', cached, prepared(question)],
  ['a question, run in DuckDB', fresh, [query(question)]],
  ['SELECT 1, PostgreSQL', theirs, [query('SELECT 1')]],
  ['a question, PostgreSQL', theirs, [query(aggregate)]],
  ['a question, prepared, binary, PostgreSQL', theirs, prepared(aggregate)],
] as const) {
  if (typeof server === 'string') continue
  const times = await latencies(server, first!, again!)
  const at = (share: number) => `${percentile(times, share).toFixed(3)} ms`
  console.log(`${name}: p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}`)
}
await Promise.all([cached.stop(), fresh.stop(), typeof theirs === 'string' ? undefined : theirs.stop()])

/** Sorted times, in milliseconds. */
async function latencies(server: Orders, first: Buffer, again: Buffer): Promise<number[]> {
  const socket = net.connect(server.port, '127.0.0.1').setNoDelay(true)
  const times: number[] = []
  await new Promise<void>((resolve, reject) => {
    let asked = -1
    let sent = 0
    socket.on('connect', () => socket.write(startup({ user: 'postgres', database: server.database })))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      if (chunk[0] === 0x45) return reject(new Error(chunk.toString('latin1')))
      if (chunk[chunk.length - 6] !== 0x5a) return
      if (asked > WARM) times.push(performance.now() - sent)
      if (times.length >= ROUNDS) return resolve()
      asked++
      sent = performance.now()
      socket.write(asked === 0 ? first : again)
    })
  })
  socket.destroy()
  return times.toSorted((a, b) => a - b)
}
