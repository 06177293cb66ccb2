/** A table is read only while its facts are known to be those of its build: heartbeats, ages, tables without a contract, and tables that are gone. */
import t from 'tap'
import { ownFolderWithin } from '../support/own-folder.js'
import { BY_MONTH, filesOf, shopWith, World } from './world.js'

const world = new World(ownFolderWithin(t, filesOf(shopWith('{ mode: heartbeat, maxStaleness: 2h }'))))
await world.load()
const built = await world.rollup('build', 'shop.yaml')
if (built.code !== 0) throw new Error(built.err)

/** A server whose clock goes on by an hour, so that it began to listen before the build. */
async function listening(settings: Readonly<Record<string, unknown>> = {}) {
  const server = await world.serve(settings)
  server.pass(3600)
  const states = async (query: object = BY_MONTH) => {
    const { body } = await server.post('/v1/query/sql', { query })
    return body.explain.rollups.map(({ reason, read, says }: Record<string, unknown>) => (read ? 'read' : `${reason} ${says}`))
  }
  const beat = (table: string) => server.post('/v1/heartbeat', { table }, { authorization: 'Bearer beat-beat-beat-beat' })
  return { server, states, beat }
}

t.test('a server that began to listen after the build does not read it', async (t) => {
  const server = await world.serve()
  const { body } = await server.post('/v1/query/sql', { query: BY_MONTH })
  t.match(body.explain.rollups, [{ reason: 'STALE', says: /began to listen/, read: false }, { reason: 'STALE' }])
  await server.close()
})

t.test('a heartbeat of a table that the build reads ends it, and one of another table does not', async (t) => {
  const { server, states, beat } = await listening({ METRICS_ENABLED: true, CACHE_BACKEND: 'memory' })
  t.same(await states(), ['null null', 'read'])
  t.equal((await beat('returns')).status, 200)
  t.same(await states(), ['null null', 'read'])
  const own = await server.post('/v1/query/execute', { query: BY_MONTH })
  t.match(own.body.sql, /monthly_/)
  await beat('ORDERS')
  t.match(await states(), [/^STALE 'Orders' was loaded/, /^STALE/])
  const facts = await server.post('/v1/query/execute', { query: BY_MONTH })
  t.notMatch(facts.body.sql, /monthly_/)
  t.same(facts.body.rows, own.body.rows)
  const metrics = (await server.get('/v1/telemetry/metrics')).text
  t.match(metrics, /grainline_rollup_questions_total\{outcome="read"\} 1/)
  t.match(metrics, /grainline_rollup_questions_total\{outcome="STALE"\} 1/)
  await server.close()
})

t.test('a build is not older than its tables allow', async (t) => {
  const { server, states } = await listening()
  t.same((await states())[1], 'read')
  server.pass(7200)
  t.match(await states(), [/^STALE .*older than maxStaleness of 'Orders'/, /^STALE/])
  await server.close()
})

t.test('heartbeats that may come to another server are not relied on', async (t) => {
  const { server, states } = await listening({ CACHE_BACKEND: 'file', CACHE_DIR: t.testdir() })
  t.match((await states())[1], /^STALE a heartbeat for 'Orders' may have come to another server/)
  await server.close()
})

t.test('tables without a contract may have changed', async (t) => {
  const own = new World(t.testdir(filesOf(shopWith('{ mode: interval, interval: 1h }'))))
  const server = await own.serve({}, world.file)
  const { body } = await server.post('/v1/query/sql', { query: BY_MONTH })
  t.match(body.explain.rollups, [{ reason: 'STALE', says: /no refresh contract/ }, { reason: 'STALE' }])
  await server.close()
})

t.test('a server that reads no tables says nothing of builds, and refuses to require them', async (t) => {
  const { server, states } = await listening({ ROLLUPS: 'never' })
  t.same(await states(), ['null null', 'null null'])
  t.match(await server.post('/v1/query/execute', { query: { ...BY_MONTH, rollups: 'require' } }), {
    status: 422,
    body: { code: 'ROLLUP_REQUIRED', detail: /TURNED_OFF/ },
  })
  t.match(await server.post('/v1/query/execute', { query: { ...BY_MONTH, rollups: 'perhaps' } }), {
    body: { code: 'INVALID_QUERY', detail: /'allow', 'never', 'require'/ },
  })
  await server.close()
})

t.test('where tables are required, a question about rows is refused', async (t) => {
  const { server } = await listening({ ROLLUPS: 'require' })
  const median = { select: { dimensions: ['Region'], measures: ['Sales'] } }
  t.match(await server.post('/v1/query/execute', { query: median }), {
    status: 422,
    body: { code: 'ROLLUP_REQUIRED', detail: /'Sales' is not read .* Daily: DIMENSION_MISSING/ },
  })
  t.equal((await server.post('/v1/query/execute', { query: { ...median, rollups: 'allow' } })).status, 200)
  t.equal((await server.post('/v1/query/execute', { query: BY_MONTH })).status, 200, 'what a built table has is answered')
  await server.close()
})

t.test('a table that is gone is left out, and the question is answered', async (t) => {
  const { out } = await world.rollup('status', 'shop.yaml')
  await world.write(`DROP TABLE ${out.match(/monthly_[0-9a-z]{12}/)?.[0]}`)
  const { server, states } = await listening()
  const { body, status } = await server.post('/v1/query/execute', { query: BY_MONTH })
  t.equal(status, 200)
  t.match(body.sql, /daily_/)
  t.match(await states(), ['read', /^UNREADABLE/])
  await server.close()
})
