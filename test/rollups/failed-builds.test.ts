/** Whatever fails while a table is built, the build before it serves: a full disk at any statement, a process that ended, two builders at a time. */
import { existsSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { compileRollup } from '../../core/src/compile/compile-rollup.js'
import type { RollupWriter } from '../../core/src/execute/vendor.js'
import { silentLogger } from '../../core/src/logger.js'
import { STRING } from '../../core/src/model/data-type.js'
import type { ResultSchema } from '../../core/src/result/record-batch.js'
import { rowsOf } from '../../core/src/result/value-at.js'
import { compareGroups, faultOf } from '../../core/src/service/rollups/groups.js'
import { buildRollup } from '../../core/src/service/rollups/rollup-builder.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { duckdbVendor, planOf } from '../../plugins/vendor-duckdb/src/index.js'
import { loadText } from '../support/compile.js'
import { ownFolderWithin } from '../support/own-folder.js'
import { context } from './hit-rate.js'
import { filesOf, shopWith, World } from './world.js'

const text = shopWith('{ mode: static }')
const world = new World(ownFolderWithin(t, filesOf(text)))
await world.load()
const model = loadText(text)
const rollup = model.rollups.get('Daily')!
const { sql, columns } = compileRollup(rollup, model, context)
const plan = { rollup, definition: 'd'.repeat(64), sql, columns, isStatic: true }

const vendor = duckdbVendor(planOf({ database: world.file }, { DUCKDB_DATABASE: undefined }), { rollups: world.file })
const reader = await vendor.connect({ logger: silentLogger, poolSize: 1 })
t.teardown(() => reader.close())
const { rollups: storage } = vendor
let id = 0
const depsWith = (wrapped: (writer: RollupWriter) => RollupWriter) => ({
  storage: {
    ...storage!,
    openWriter: async (of: { readonly logger: typeof silentLogger; readonly database: string | undefined }) =>
      wrapped(await storage!.openWriter!(of)),
  },
  dialect: duckdb,
  logger: silentLogger,
  randomId: () => `build${id++}`,
  reader: async () => {
    await reader.reopen?.()
    return reader
  },
})
const asItIs = depsWith((writer) => writer)

async function texts(query: string): Promise<readonly string[]> {
  await reader.reopen?.()
  const schema: ResultSchema = [{ name: 'text', type: STRING, role: 'field' }]
  const found: string[] = []
  for await (const batch of reader.query(query, { schema }))
    found.push(...[...rowsOf(batch, schema)].map(([value]) => String(value)))
  return found
}
const serving = () => texts("SELECT table_name AS text FROM grainline_rollups WHERE state = 'serving' ORDER BY built_at DESC")
const left = () => texts("SELECT table_name AS text FROM duckdb_tables() WHERE table_name LIKE 'daily_%' ORDER BY 1")

t.test('the first build', async (t) => {
  t.match(await buildRollup(plan, asItIs), { rows: 5, equal: 5, changed: 0, different: 0, repeated: 0 })
  t.same(await serving(), ['daily_build0'])
})

t.test('a full disk at any statement', async (t) => {
  let failures = 0
  for (let at = 0; ; at++) {
    let count = 0
    const full = depsWith((writer) => ({
      ...writer,
      run: (statement, signal) =>
        count++ === at ? Promise.reject(new Error('no space left on device')) : writer.run(statement, signal),
    }))
    const before = await serving()
    const failed = await buildRollup(plan, full).then(
      () => false,
      () => true,
    )
    if (!failed) break
    failures++
    t.ok((await serving()).includes(before[0] ?? ''), `statement ${at}: ${before[0]} serves`)
    for (const table of await serving()) t.ok((await left()).includes(table), `${table} is there`)
    t.notOk(existsSync(`${world.file}.lock`), 'the next builder may begin')
  }
  t.ok(failures >= 3, `${failures} statements failed`)
})

t.test('a build whose process ended is no build, and goes after a day', async (t) => {
  await world.write(
    `CREATE TABLE daily_dead (x INT); INSERT INTO grainline_rollups VALUES ('daily', 'dead', 'daily_dead', '${plan.definition}', 1000, 0, 'building')`,
  )
  writeFileSync(`${world.file}.building`, 'half of a file')
  writeFileSync(`${world.file}.lock`, '999999999')
  t.notOk((await serving()).includes('daily_dead'))
  await buildRollup(plan, asItIs)
  t.notOk((await left()).includes('daily_dead'))
})

t.test('two builders at a time: one is told so, and nothing is lost', async (t) => {
  const both = await Promise.allSettled([buildRollup(plan, asItIs), buildRollup(plan, asItIs)])
  t.same(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  t.match(
    both.find(({ status }) => status === 'rejected'),
    { reason: { code: 'CONFLICT' } },
  )
  t.equal((await serving()).length, 2, 'the new one and the one before')
})

t.test('a table that a builder made of other rows is refused', async (t) => {
  const other = { ...plan, sql: plan.sql.replace('FROM "orders"', 'FROM (SELECT * FROM orders WHERE id > 1) AS "orders"') }
  t.not(other.sql, plan.sql)
  const before = await serving()
  const blind = depsWith((writer) => ({
    ...writer,
    run: (statement, signal) => writer.run(statement.replace(plan.sql, other.sql), signal),
  }))
  await t.rejects(buildRollup(plan, blind), { code: 'ROLLUP_BUILD_FAILED', message: /groups are not those of the facts/ })
  t.same(await serving(), before)
  t.match(await buildRollup(plan, asItIs), { different: 0 }, 'the next build is right')
})

t.test('groups that changed meanwhile are not judged', async (t) => {
  const groups = (values: Readonly<Record<string, string>>, repeated = 0) => ({
    values: new Map(Object.entries(values)),
    repeated,
  })
  const of = (...[table, before, after]: readonly Readonly<Record<string, string>>[]) =>
    compareGroups(groups(table!), groups(before!), groups(after!))
  t.match(of({ a: '1', b: '2' }, { a: '1', b: '1' }, { a: '1', b: '3' }), { equal: 1, changed: 1, different: 0 })
  t.match(of({ a: '2' }, { a: '1' }, { a: '1' }), { equal: 0, different: 1 })
  t.match(of({ a: '1', c: '1' }, { a: '1' }, { a: '1' }), { equal: 1, different: 1 }, 'a group that no reading has')
  t.equal(faultOf(of({}, {}, {})), undefined, 'two empty readings agree')
  t.match(faultOf(of({ a: '1' }, { a: '1' }, { a: '2' })), /nothing was compared/)
  t.match(faultOf(compareGroups(groups({ a: '1' }, 1), groups({ a: '1' }), groups({ a: '1' }))), /two builds in one table/)
})
