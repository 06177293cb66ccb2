/**
 * Readers that leave in the middle of an answer under a policy, on both wires and over REST: who asks next, on the only connection to the database and from what was kept, gets
 * the rows of their own, and all of them.
 */
import net from 'node:net'
import memory from '@grainline/cache-memory'
import { connectFlightSql } from '@grainline/flight-sql'
import pg from 'pg'
import t from 'tap'
import { rowsOf } from '../flight/rows-of.js'
import { bind, connectRaw, execute, message, packet, parse, query, rowOf, scram, startup, sync } from '../pgwire/raw-client.js'
import { servedShop } from './served.js'
import { KEYS, TABLES, type Who } from './shop.js'
import { served } from './wire-served.js'

t.setTimeout(300_000)
const ROWS = 20_000
/** Every other order is of the north, and the others of the south. */
const MANY = TABLES.map((table) =>
  table.startsWith('CREATE TABLE orders')
    ? `CREATE TABLE orders AS SELECT i AS id, 1 + i % 2 AS customer_id, 1 AS referrer_id, i AS amount FROM range(${2 * ROWS}) AS t(i)`
    : table,
)
const REGION = { north: 'North', south: 'South' } as const
type Reader = keyof typeof REGION
const other = (who: Reader): Reader => (who === 'north' ? 'south' : 'north')
const KEPT = { CACHE_BACKEND: 'memory', CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl', CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: 300 }
const ONE = { ...KEPT, DB_POOL_SIZE: 1 }
/** A text that nobody has asked before, for everybody the same. */
let texts = 0
const text = (): string => `SELECT "Orders"."Id", "Customers"."Region" FROM shop LIMIT ${2 * ROWS + ++texts}`

/** What is wrong about rows of a number and a region for somebody. */
function faultOf(rows: readonly (readonly unknown[])[], who: Reader): string | undefined {
  const others = rows.filter(([, region]) => region !== REGION[who]).length
  if (others > 0) return `${others} rows of somebody else`
  return new Set(rows.map(([id]) => String(id))).size === ROWS && rows.length === ROWS ? undefined : `${rows.length} rows`
}

/** A connection whose messages a test reads one by one, and what cancels its statements. */
async function raw(port: number, who: Who) {
  const client = await connectRaw(port)
  client.send(startup({ user: who, database: 'shop' }))
  await client.next()
  await scram(client, KEYS[who])
  const key = (await client.until('Z')).find(({ type }) => type === 'K')!.body
  return { client, key }
}

/** Ways to leave after the first rows of a statement. All of the rows before are of the reader. */
const LEAVINGS: Readonly<Record<string, (port: number, who: Who, sql: string) => Promise<readonly (string | null)[][]>>> = {
  'the socket ends': async (port, who, sql) => {
    const { client } = await raw(port, who)
    client.send(query(sql))
    const seen = await client.until('D')
    client.end()
    return rowsIn(seen)
  },
  'a cursor is left open': async (port, who, sql) => {
    const { client } = await raw(port, who)
    client.send(parse(sql), bind(), execute(10), sync())
    const seen = await client.until('Z')
    client.send(message('X'))
    client.end()
    return rowsIn(seen)
  },
  'the statement is cancelled': async (port, who, sql) => {
    const { client, key } = await raw(port, who)
    client.send(query(sql))
    const seen = await client.until('D')
    const stop = await connectRaw(port)
    stop.send(packet(80877102, key.subarray(0, 4), key.subarray(4)))
    await stop.closed()
    const rest = await client.until('Z')
    client.end()
    return rowsIn([...seen, ...rest])
  },
}
const rowsIn = (messages: readonly Parameters<typeof rowOf>[0][]) => messages.filter(({ type }) => type === 'D').map(rowOf)

t.test('on the Postgres wire', async (t) => {
  const { port } = await served(t, MANY, undefined, { settings: ONE })
  const all = async (who: Reader, sql: string) => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: who, password: KEYS[who], database: 'shop' })
    await client.connect()
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
    await client.end()
    return faultOf(rows, who)
  }
  for (const [way, leave] of Object.entries(LEAVINGS))
    for (const who of ['north', 'south'] as const) {
      const sql = text()
      const seen = await leave(port, who, sql)
      t.ok(seen.length > 0, `${way}: ${seen.length} rows were read`)
      t.ok(seen.every(([, region]) => region === REGION[who]))
      for (const next of [other(who), who, other(who)]) t.equal(await all(next, sql), undefined, `${way}: ${next} after ${who}`)
    }
})

t.test('over Flight SQL', async (t) => {
  const { flightPort: port } = await served(t, MANY, undefined, { settings: ONE })
  const connected = (who: Reader) => connectFlightSql({ host: '127.0.0.1', port, credentials: { token: KEYS[who] } })
  const leave: Readonly<Record<string, (who: Reader, sql: string) => Promise<void>>> = {
    'the stream is left': async (who, sql) => {
      const client = await connected(who)
      for await (const batch of await client.query(sql)) if (batch.numRows > 0) break
      client.close()
    },
    'the client goes': async (who, sql) => {
      const client = await connected(who)
      const stream = (await client.query(sql))[Symbol.asyncIterator]()
      await stream.next()
      client.close()
    },
    'the answer is never fetched': async (who, sql) => {
      const client = await connected(who)
      await client.query(sql)
      client.close()
    },
  }
  for (const [way, left] of Object.entries(leave))
    for (const who of ['north', 'south'] as const) {
      const sql = text()
      await left(who, sql)
      for (const next of [other(who), who, other(who)]) {
        const client = await connected(next)
        t.equal(faultOf((await rowsOf(await client.query(sql))) as unknown[][], next), undefined, `${way}: ${next} after ${who}`)
        client.close()
      }
    }
})

/** Sends a question and leaves after so many bytes of the answer. */
function leaving(address: string, who: Reader, path: string, body: object, after: number): Promise<void> {
  const { hostname, port } = new URL(address)
  const said = JSON.stringify(body)
  const socket = net.connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEYS[who]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(said)}\r\n\r\n${said}`,
  )
  let read = 0
  socket.on('data', (piece) => {
    read += piece.length
    if (read >= after) socket.destroy()
  })
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

t.test('over REST', async (t) => {
  const shop = await servedShop(t, { tables: MANY, settings: ONE, plugins: [memory] })
  const address = await shop.listen()
  for (const format of ['json', 'csv', 'ndjson', 'arrow'])
    for (const [who, after] of [
      ['north', 1],
      ['south', 50_000],
    ] as const) {
      const body = { sql: text() }
      await leaving(address, who, `/v1/query/semantic-ql?format=${format}`, body, after)
      for (const next of [other(who), who, other(who)]) {
        const { body: answer } = await shop.post(next, '/v1/query/semantic-ql', body)
        t.equal(faultOf(answer.rows ?? [], next), undefined, `${format}, after ${after} bytes: ${next} after ${who}`)
      }
    }
})
