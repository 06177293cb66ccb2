/** Features that Arrow Flight SQL shares with the other surfaces: cached answers, and the limit of a statement without one. */
import memory from '@grainline/cache-memory'
import { definePlugin, silentLogger } from '@grainline/core'
import { batchFromRows, type ResultSchema, type VendorConnection, valueAt } from '@grainline/core/vendor'
import type { FlightSqlClient } from '@grainline/flight-sql'
import pgwire from '@grainline/surface-pgwire'
import rest from '@grainline/surface-rest'
import { status } from '@grpc/grpc-js'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { mountSurfaces } from '../../core/src/host/mount-surfaces.js'
import { dremioVendor, plansOf } from '../../plugins/vendor-dremio/src/index.js'
import { ask, bytesOf, connectReady } from '../pgwire/raw-client.js'
import { rowsOf } from './rows-of.js'
import { startFlight } from './server.js'

t.setTimeout(240_000)
const model = `
version: 1
name: orders
dataObjects:
  Orders:
    code: orders
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Kind: { code: kind, abstractType: string } }
    refresh: { mode: interval, interval: 10m }
dimensions:
  Kind: { dataObject: Orders, column: Kind }
`

/** A database whose answers contain the number of its queries. */
function counting(asked = { times: 0 }) {
  const query: VendorConnection['query'] = async function* (_, { schema }) {
    yield batchFromRows(schema, [['a kind', ++asked.times]])
  }
  const connect = async () => ({
    query,
    check: async () => ({ valid: true }) as const,
    explain: async () => ({ format: 'text', output: '' }) as const,
    timezone: async () => 'UTC',
    close: async () => {},
  })
  return definePlugin({
    name: 'test-vendor',
    host: '*',
    setup: (host) => host.vendors.register({ name: 'duckdb', dialect: 'duckdb', connect }),
  })
}

const STATEMENT = 'SELECT "Kind", "Orders Count" FROM orders ORDER BY "Kind" LIMIT 9'

/** Three surfaces on one host; each answers a query with the number of database queries. */
async function surfaces(t: Test) {
  const folder = t.testdir({ 'orders.yaml': model })
  const server = await startFlight({
    plugins: [counting(), memory, rest, pgwire] as never,
    preload: [{ session: 'orders', model: `${folder}/orders.yaml` }],
    settings: { CACHE_BACKEND: 'memory', PGWIRE_ENABLED: true, PGWIRE_HOST: '127.0.0.1', PGWIRE_PORT: 0 },
  })
  const app = Fastify()
  mountSurfaces(app, server.host)
  const wire = server.host.surfaces.get('pgwire')
  if (wire.kind !== 'socket') throw new Error('the surface has no listener')
  const running = await wire.start(server.host.contextFor(wire))
  const postgres = await connectReady(Number(new URL(running.address).port), { user: 'anybody', database: 'orders' })
  t.teardown(async () => {
    postgres.end()
    await running.stop()
    await app.close()
    await server.close()
  })
  const client = await server.connect()
  const query = { select: { dimensions: ['Kind'], measures: ['Orders Count'] }, order_by: [{ field: 'Kind' }], limit: 9 }
  return {
    flight: async () => Number((await rowsOf(await client.query(STATEMENT)))[0]?.[1]),
    async rest() {
      const answer = await app.inject({ method: 'POST', url: '/v1/query/execute', payload: { query } })
      return Number(answer.json().rows[0][1])
    },
    async postgres() {
      const row = (await ask(postgres, STATEMENT)).find(({ type }) => type === 'D')
      return Number(row && bytesOf(row)[1])
    },
  }
}

for (const first of ['flight', 'rest', 'postgres'] as const)
  t.test(`an answer over ${first} is cached for every surface`, async (t) => {
    const asked = await surfaces(t)
    t.equal(await asked[first](), 1)
    t.same([await asked.flight(), await asked.rest(), await asked.postgres()], [1, 1, 1], 'the database was asked once')
  })

t.test('the columns of a statement are known before it runs, and match the columns of the answer', async (t) => {
  const asked = { times: 0 }
  const server = await startFlight({
    plugins: [counting(asked)],
    preload: [{ session: 'orders', model: `${t.testdir({ 'orders.yaml': model })}/orders.yaml` }],
  })
  t.teardown(() => server.close())
  const client = await server.connect()
  const before = String(await client.schemaOf(STATEMENT))
  await (await client.prepare(STATEMENT)).close()
  t.equal(asked.times, 0)
  const answer = await client.query(STATEMENT)
  t.same([before, (await rowsOf(answer)).length, asked.times], [String(answer.schema), 1, 1])
})

t.test('an answer that the default limit would truncate is refused', async (t) => {
  const read = (client: FlightSqlClient, sql: string) => client.query(sql).then(rowsOf)
  for (const settings of [{ SQL_DEFAULT_LIMIT: 3 }, { QUERY_DEFAULT_LIMIT: 3 }]) {
    const server = await startFlight({ settings })
    t.teardown(() => server.close())
    const client = await server.connect()
    const by = (dimension: string) => `SELECT "${dimension}", "Flight Count" FROM flights`
    const around = `SELECT a, SUM(n) FROM (SELECT "Airline" AS a, "Flight Count" AS n FROM flights) AS f GROUP BY a`
    for (const statement of [by('Airline'), around])
      await t.rejects(
        read(client, statement),
        { code: status.INVALID_ARGUMENT, details: /DEFAULT_LIMIT_EXCEEDED.*3 rows/ },
        statement,
      )
    t.equal((await read(client, by('Origin Airport'))).length, 3, 'an answer of as many rows is whole')
    t.equal((await read(client, `${by('Airline')} LIMIT 5`)).length, 5, 'a statement may set its own limit')
  }
})

t.test('the Dremio driver of another Grainline reads this surface', async (t) => {
  const KEY = 'a_key_of_another_grainline_0123456789abcdef'
  const server = await startFlight({ settings: { AUTH_MODE: 'api_key', API_KEYS: [KEY] } })
  t.teardown(() => server.close())
  const connect = async (password: string) => {
    const url = `dremio://anybody:${password}@127.0.0.1:${server.port}/flights`
    const [plan] = plansOf({ url }, { DREMIO_URL: undefined })
    const connection = await dremioVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
    t.teardown(() => connection.close())
    return connection
  }
  const schema: ResultSchema = [
    { name: 'Origin Airport', type: { kind: 'string' }, role: 'dimension' },
    { name: 'Flight Count', type: { kind: 'int' }, role: 'measure' },
  ]
  const sql = 'SELECT "Origin Airport", "Flight Count" FROM flights ORDER BY 2 DESC LIMIT 1'
  const read = async (connection: VendorConnection) => {
    const rows: unknown[][] = []
    for await (const { columns, rowCount } of connection.query(sql, { schema }))
      for (let row = 0; row < rowCount; row++) rows.push(columns.map((column, i) => valueAt(column, row, schema[i]!.type)))
    return rows
  }
  t.same(await read(await connect(KEY)), [['Newark Liberty Intl', 120835n]])
  await t.rejects(
    connect('a_wrong_key_of_a_length_that_is_long_enough').then(read),
    { code: 'VENDOR_UNAVAILABLE' },
    'a wrong key',
  )
})
