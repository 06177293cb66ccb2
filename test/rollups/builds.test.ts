/** Tables are built, compared with the facts and registered, and read in place of them. */
import { existsSync, readdirSync } from 'node:fs'
import t from 'tap'
import { ownFolderWithin } from '../support/own-folder.js'
import { BY_MONTH, filesOf, shopWith, World } from './world.js'

const world = new World(ownFolderWithin(t, filesOf(shopWith('{ mode: static }'))))
await world.load()

t.test('nothing is read before a build', async (t) => {
  const server = await world.serve()
  const { body } = await server.post('/v1/query/sql', { query: BY_MONTH })
  t.match(body.explain.rollups, [
    { rollup: 'Daily', reason: 'NOT_BUILT', read: false, build: null },
    { rollup: 'Monthly', reason: 'NOT_BUILT', says: 'no build is registered' },
  ])
  const required = await server.post('/v1/query/execute', { query: { ...BY_MONTH, rollups: 'require' } })
  t.match(required, { status: 422, body: { code: 'ROLLUP_REQUIRED', detail: /Daily: NOT_BUILT/ } }, required.text)
  await server.close()
})

t.test('a build is compared with the facts, and registered', async (t) => {
  const { code, out, err } = await world.rollup('build', 'shop.yaml')
  t.equal(code, 0, err)
  t.match(out, /^Daily: daily_[0-9a-z]{12}, 5 rows in [\d.]+ s, as of .*; 5 groups equal the facts\nMonthly: /)
  t.same(
    readdirSync(world.folder).filter((name) => name.includes('duckdb')),
    ['shop.duckdb'],
    'no copy and no lock is left',
  )
  const status = await world.rollup('status', 'shop.yaml')
  t.match(status.out, /^Daily: read\n {2}daily_[0-9a-z]{12}: serving, read, 5 rows, as of/)
  t.equal((await world.rollup('verify', 'shop.yaml')).code, 0)
})

t.test('questions are answered from the table, with a receipt', async (t) => {
  const server = await world.serve()
  const own = await server.post('/v1/query/execute?receipt=true', { query: BY_MONTH })
  const facts = await server.post('/v1/query/execute', { query: { ...BY_MONTH, rollups: 'never' } })
  t.same(own.body.rows, facts.body.rows)
  t.match(own.body.sql, /monthly_[0-9a-z]{12}/, 'the one with fewer rows')
  t.notMatch(facts.body.sql, /monthly_/)
  const [table] = own.body.receipt.tables
  t.match(table, { object: 'Orders', by: 'Monthly', build: /^\w{12}$/, as_of: own.body.receipt.read_at })
  t.notOk(facts.body.receipt?.tables)
  const { body } = await server.post('/v1/query/sql', { query: BY_MONTH })
  t.match(body.explain.rollups, [
    { read: false, build: /\w{12}/ },
    { read: true, build: table.build, as_of: table.as_of },
  ])
  const days = { select: { dimensions: ['Day:day'], measures: ['Sales'] }, rollups: 'require' }
  t.match((await server.post('/v1/query/execute', { query: days })).body.sql, /daily_/)
  const sql = 'SELECT "Status", "Sales" FROM shop'
  t.match((await server.post('/v1/query/semantic-ql', { sql })).body.sql, /monthly_/)
  t.notMatch((await server.post('/v1/query/semantic-ql', { sql, rollups: 'never' })).body.sql, /monthly_/)
  await server.close()
})

t.test('a definition that was edited after the build is not the one that was built', async (t) => {
  const edited = new World(t.testdir(filesOf(shopWith('{ mode: static }').replaceAll('value: paid', 'value: open'))))
  const server = await edited.serve({}, world.file)
  const { body } = await server.post('/v1/query/sql', { query: BY_MONTH })
  t.match(body.explain.rollups[0], { rollup: 'Daily', reason: 'DEFINITION_CHANGED' })
  await server.close()
})

t.test('the table before serves while a new one is built, and two are kept', async (t) => {
  for (const _ of [1, 2]) await world.rollup('build', 'shop.yaml', 'Daily')
  const { out } = await world.rollup('status', 'shop.yaml')
  t.equal(out.match(/daily_/g)?.length, 2, out)
})

t.test('a build that fails leaves the one before', async (t) => {
  t.ok(existsSync(world.file))
  const full = await world.rollup('build', 'shop.yaml', 'Nothing')
  t.not(full.code, 0)
  const { out } = await world.rollup('status', 'shop.yaml')
  t.match(out, /^Daily: read\n/)
})

t.test('a table that differs from the facts is not read any more', async (t) => {
  const { out } = await world.rollup('status', 'shop.yaml')
  const [table] = out.match(/daily_[0-9a-z]{12}/) ?? []
  await world.write(`UPDATE ${table} SET sales = 1 WHERE status = 'open'`)
  const verified = await world.rollup('verify', 'shop.yaml', 'Daily')
  t.match(verified, { code: 1, out: /WRONG: 1 groups are not those of the facts; no server reads it any more/ })
  const after = await world.rollup('status', 'shop.yaml')
  t.match(after.out, /: wrong, 5 rows/)
  t.notMatch(after.out.split('\n')[1], /, read,/)
})
