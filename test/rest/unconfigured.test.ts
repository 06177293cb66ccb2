/** A database that is not configured is not contacted, whatever a client writes. */
import { createServer } from 'node:net'
import t from 'tap'
import { dialects, startRest } from './server.js'
import { shopQuery } from './shop.js'

const vendors = ['postgres', 'mysql', 'clickhouse', 'snowflake', 'bigquery', 'databricks', 'dremio', 'trino']
const others = ['mysql', 'mariadb', 'clickhouse', 'snowflake', 'bigquery', 'databricks', 'dremio', 'trino', 'redshift']

const stock = (settings: Record<string, unknown> = {}) => ({
  plugins: [
    ...dialects,
    ...others.map((name) => `@grainline/dialect-${name}`),
    '@grainline/vendor-duckdb',
    ...vendors.map((name) => `@grainline/vendor-${name}`),
  ],
  settings: { QUERY_EXECUTE: true, ...settings },
})

t.test('only configured databases are used and listed', async (t) => {
  const server = await startRest(stock())
  t.teardown(() => server.close())
  await server.shop()
  for (const dialect of ['postgres', ...others]) {
    t.match(
      await server.post('/v1/query/execute', { query: shopQuery, dialect }),
      { status: 400, body: { code: 'NO_CONNECTION', suggestions: ['duckdb'] } },
      dialect,
    )
    t.match(
      await server.post('/v1/query/sql', { query: shopQuery, dialect }),
      { status: 200, body: { sql_valid: true, warnings: [{ code: 'SQL_NOT_VALIDATED' }] } },
      dialect,
    )
  }
})

t.test('the error of a missing database does not look like an error of the statement', async (t) => {
  const gone = createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const { port } = gone.address() as { port: number }
  await new Promise((resolve) => gone.close(resolve))
  const server = await startRest(stock({ POSTGRES_URL: `postgres://me@127.0.0.1:${port}/shop` }))
  t.teardown(() => server.close())
  await server.shop()
  t.match(await server.post('/v1/query/sql', { query: shopQuery, dialect: 'postgres' }), {
    status: 200,
    body: { sql_valid: true, warnings: [{ code: 'SQL_NOT_VALIDATED', message: /cannot be reached/ }] },
  })
  t.match(await server.post('/v1/query/execute', { query: shopQuery, dialect: 'postgres' }), { status: 502 })
  t.match(await server.post('/v1/query/execute', { query: shopQuery, dialect: 'mysql' }), {
    body: { code: 'NO_CONNECTION', suggestions: ['duckdb', 'postgres'] },
  })
})

t.test('DB_VENDOR alone configures its database', async (t) => {
  const server = await startRest(stock({ DB_VENDOR: 'trino' }))
  t.teardown(() => server.close())
  await server.shop()
  t.match((await server.post('/v1/query/execute', { query: shopQuery, dialect: 'mysql' })).body.suggestions, ['duckdb', 'trino'])
})
