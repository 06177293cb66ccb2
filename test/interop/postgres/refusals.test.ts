/** The advice of connection errors works: address, TLS, time-outs and a full pool, on a real PostgreSQL. */
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { definePlugin, type HostPlugin } from '@grainline/core'
import { type PostgresOptions, plansOf, postgresVendor } from '@grainline/vendor-postgres'
import t, { type Test } from 'tap'
import { type Answer, dialects, startRest } from '../../rest/server.js'
import { orSkip } from '../or-skip.js'
import { openClient } from './client.js'
import { startServer } from './server.js'

const NOTHING = { POSTGRES_URL: undefined, POSTGRES_STATEMENT_TIMEOUT_MS: undefined, REDSHIFT_URL: undefined }
const MODEL = `name: shop
settings: { defaultDialect: postgres }
dataObjects:
  Sales: { code: sales, columns: { Id: { code: id, abstractType: int, primaryKey: true } } }
  Held: { code: held, columns: { Id: { code: id, abstractType: int, primaryKey: true } } }
dimensions: { Id: { dataObject: Sales, column: Id }, Held Id: { dataObject: Held, column: Id } }
`
/** `held` returns no rows until the lock is free. */
const TABLES = `CREATE TABLE sales (id bigint PRIMARY KEY); INSERT INTO sales VALUES (1), (2);
  CREATE VIEW held AS SELECT id FROM sales, (SELECT pg_advisory_xact_lock(7) AS locked OFFSET 0) l WHERE locked::text = ''`
const SALES = { select: { dimensions: ['Id'] } }
const HELD = { select: { dimensions: ['Held Id'] } }

const vendorWith = (options: PostgresOptions): HostPlugin =>
  definePlugin({
    name: 'the-database',
    host: '*',
    setup(host) {
      const [plan] = plansOf(options, NOTHING)
      host.vendors.register(postgresVendor(plan!))
    },
  }) as HostPlugin

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

async function serving(t: Test, options: PostgresOptions) {
  const server = await startRest({
    settings: { QUERY_EXECUTE: true, DB_VENDOR: 'postgres' },
    plugins: [...dialects, vendorWith(options)],
  })
  t.teardown(() => server.close())
  const session = (await server.post('/v1/sessions')).body.session_id
  const loaded = await server.post(`/v1/sessions/${session}/models`, { model_yaml: MODEL })
  t.equal(loaded.status, 201, loaded.text)
  return { ask: (query: object): Promise<Answer> => server.post('/v1/query/execute', { query }) }
}

interface Wrong {
  readonly what: string
  readonly change: (right: PostgresOptions, nowhere: number) => PostgresOptions
  readonly says: RegExp
}

const WRONG: readonly Wrong[] = [
  {
    what: 'a port that nothing listens on',
    change: (right, nowhere) => ({ ...right, port: nowhere }),
    says: /lost or refused.*which address did not answer/s,
  },
  {
    what: 'a database that is not there',
    change: (right) => ({ ...right, database: 'shpo' }),
    says: /database \\?"shpo\\?" does not exist/,
  },
  {
    what: 'a user that is not there',
    change: (right) => ({ ...right, user: 'nobody_here' }),
    says: /role \\?"nobody_here\\?" does not exist/,
  },
  { what: 'TLS where the server speaks none', change: (right) => ({ ...right, tls: true }), says: /(SSL|TLS)/ },
]

t.setTimeout(300_000)
const port = await freePort()
await orSkip(
  t,
  () => startServer(port),
  (server) => server.stop(),
  async ({ socket }) => {
    const client = await openClient(socket, { port })
    if (typeof client === 'string') throw new Error(client)
    t.teardown(() => client.end())
    await client.query(TABLES)
    const right: PostgresOptions = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }

    for (const { what, change, says } of WRONG)
      t.test(`the error for ${what} names it, and the valid configuration answers`, async (t) => {
        const refused = await (await serving(t, change(right, await freePort()))).ask(SALES)
        t.ok(refused.status === 502 || refused.status === 503, `${refused.status}`)
        t.match(refused.text, says)
        t.equal((await (await serving(t, right)).ask(SALES)).status, 200)
      })

    t.test('the error of a statement that takes too long names the limit, and with a higher limit it is answered', async (t) => {
      await client.query('SELECT pg_advisory_lock(7)')
      const refused = await (await serving(t, { ...right, statementTimeoutMs: 200 })).ask(HELD)
      t.match(refused, { status: 504, body: { code: 'QUERY_TIMEOUT' } }, refused.text)
      t.match(refused.text, /statementTimeoutMs|POSTGRES_STATEMENT_TIMEOUT_MS|_TIMEOUT_/)
      const patient = (await serving(t, { ...right, statementTimeoutMs: 60_000 })).ask(HELD)
      await client.query('SELECT pg_advisory_unlock(7)')
      t.equal((await patient).status, 200)
    })

    t.test(
      'the error of a full pool names the setting; with a free connection, or a larger pool, the query is answered',
      async (t) => {
        await client.query('SELECT pg_advisory_lock(7)')
        const { ask } = await serving(t, { ...right, poolSize: 1 })
        const holding = ask(HELD)
        while (!(await isHeld(client))) await wait(20)
        const refused = await ask(SALES)
        t.match(refused, { status: 503, body: { code: 'POOL_EXHAUSTED' } }, refused.text)
        t.match(refused.text, /DB_POOL_SIZE/)
        const larger = await serving(t, { ...right, poolSize: 2 })
        const alsoHolding = larger.ask(HELD)
        t.equal((await larger.ask(SALES)).status, 200)
        await client.query('SELECT pg_advisory_unlock(7)')
        t.match(await Promise.all([holding, alsoHolding]), [{ status: 200 }, { status: 200 }])
        t.equal((await ask(SALES)).status, 200)
      },
    )
  },
)

/** Whether a statement waits for the lock. */
async function isHeld(client: Exclude<Awaited<ReturnType<typeof openClient>>, string>): Promise<boolean> {
  const text = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
  return (await client.query({ text, rowMode: 'array' })).rows.length > 0
}
