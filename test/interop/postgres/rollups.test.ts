/** Rollup tables in PostgreSQL: built by a user that may write, read by one that only reads, with the answers of the facts. */
import { main } from '@grainline/core/cli'
import vendor from '@grainline/vendor-postgres'
import t, { type Test } from 'tap'
import { startRest } from '../../rest/server.js'
import { BY_MONTH, FACTS, shopWith } from '../../rollups/world.js'
import { streamsThatKeep } from '../../support/streams-that-keep.js'
import { orSkip } from '../or-skip.js'
import { openPostgres, type Postgres } from './open.js'

await orSkip(
  t,
  openPostgres,
  ({ close }) => close(),
  async (postgres) => {
    await t.test('tables are built beside the facts, and read in place of them', (t) => built(t, postgres))
  },
)

async function built(t: Test, { client, socket }: Postgres): Promise<void> {
  await client.query(`${FACTS}
    CREATE ROLE builder LOGIN; CREATE ROLE reader LOGIN; GRANT CREATE, USAGE ON SCHEMA public TO builder;
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO builder, reader;
    ALTER DEFAULT PRIVILEGES FOR ROLE builder IN SCHEMA public GRANT SELECT ON TABLES TO reader`)
  const urlOf = (user: string) => `postgres://${user}@localhost/postgres?host=${encodeURIComponent(socket)}`
  const folder = t.testdir({
    'shop.yaml': `${shopWith('{ mode: static }')}settings: { defaultDialect: postgres }\n`,
    'config.yaml': "plugins: ['@grainline/dialect-postgres', '@grainline/vendor-postgres', '@grainline/surface-rest']\n",
  })
  const run = async (env: Readonly<Record<string, string>>, ...args: string[]) => {
    const { stdout, stderr, written } = streamsThatKeep()
    const own = { POSTGRES_URL: urlOf('reader'), DB_VENDOR: 'postgres', ROLLUPS: 'allow', ...env }
    const code = await main(['rollup', ...args, '--config', 'config.yaml'], { stdout, stderr, cwd: folder, env: own })
    return { code, ...written() }
  }
  const builder = { ROLLUP_POSTGRES_URL: urlOf('builder') }
  t.match(await run({}, 'build', 'shop.yaml', 'Daily'), { code: 1, err: /ROLLUP_POSTGRES_URL is not set/ })
  t.match(await run({ ROLLUP_POSTGRES_URL: urlOf('reader') }, 'build', 'shop.yaml', 'Daily'), {
    code: 1,
    err: /permission denied/,
  })
  const first = await run(builder, 'build', 'shop.yaml')
  t.match(first, { code: 0, out: /Daily: daily_\w{12}, 5 rows .*; 5 groups equal the facts\nMonthly: / }, first.err)
  const server = await startRest({
    plugins: ['@grainline/dialect-postgres', vendor],
    settings: { QUERY_EXECUTE: true, POSTGRES_URL: urlOf('reader'), DB_VENDOR: 'postgres', ROLLUPS: 'allow' },
    preload: [{ session: 'shop', model: `${folder}/shop.yaml` }],
  })
  t.teardown(() => server.close())
  const own = await server.post('/v1/query/execute', { query: BY_MONTH })
  const facts = await server.post('/v1/query/execute', { query: { ...BY_MONTH, rollups: 'never' } })
  t.match(own.body.sql, /monthly_/)
  t.same(own.body.rows, facts.body.rows)
  // A build that fails leaves nothing, and the one before.
  await client.query('ALTER TABLE orders RENAME TO gone')
  t.equal((await run(builder, 'build', 'shop.yaml', 'Daily')).code, 1)
  await client.query('ALTER TABLE gone RENAME TO orders')
  const { out } = await run(builder, 'status', 'shop.yaml')
  t.match(out, /^Daily: read\n {2}daily_\w{12}: serving, read, 5 rows, [^\n]*\nMonthly: read\n/)
}
