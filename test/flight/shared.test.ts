/** What Arrow Flight SQL has in common with the other surfaces: kept answers, and the limit of a statement that sets none. */
import memory from '@grainline/cache-memory'
import { batchFromRows, definePlugin, type VendorConnection } from '@grainline/core'
import type { FlightSqlClient } from '@grainline/flight-sql'
import pgwire from '@grainline/surface-pgwire'
import rest from '@grainline/surface-rest'
import { status } from '@grpc/grpc-js'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { mountSurfaces } from '../../core/src/host/mount-surfaces.js'
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

/** A database whose answers say how often it was asked. */
function counting() {
  let asked = 0
  const query: VendorConnection['query'] = async function* (_, { schema }) {
    yield batchFromRows(schema, [['a kind', ++asked]])
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

/** The three surfaces over one host, each of which answers one question with the number of the database's answer. */
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
  t.test(`what was asked over ${first} is kept for every surface`, async (t) => {
    const asked = await surfaces(t)
    t.equal(await asked[first](), 1)
    t.same([await asked.flight(), await asked.rest(), await asked.postgres()], [1, 1, 1], 'the database was asked once')
  })

t.test('an answer that would be cut at the default limit is refused, and never cut', async (t) => {
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
