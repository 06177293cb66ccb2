/** Statements of SQL that are sent again and again: read once for the same text, models and values. */
import { createHost, definePlugin } from '@grainline/core'
import duckdbDialect from '@grainline/dialect-duckdb'
import postgresDialect from '@grainline/dialect-postgres'
import sqliteDialect from '@grainline/dialect-sqlite'
import evaluator from '@grainline/evaluator-duckdb'
import { semanticQl } from '@grainline/semantic-ql'
import t from 'tap'

const DAY_MS = 86_400_000

const model = (changes: { readonly aggregation?: string; readonly settings?: object; readonly name?: string } = {}) => ({
  version: 1,
  name: changes.name ?? 'shop',
  ...(changes.settings && { settings: changes.settings }),
  dataObjects: {
    Sales: {
      code: 'sales',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        Shop: { code: 'shop', abstractType: 'string' },
        Day: { code: 'day', abstractType: 'date' },
        At: { code: 'sold_at', abstractType: 'timestamp_tz' },
        Amount: { code: 'amount', abstractType: 'int' },
      },
    },
  },
  dimensions: {
    Shop: { dataObject: 'Sales', column: 'Shop' },
    Day: { dataObject: 'Sales', column: 'Day' },
    At: { dataObject: 'Sales', column: 'At' },
  },
  measures: {
    Revenue: { aggregation: changes.aggregation ?? 'sum', columns: [{ dataObject: 'Sales', column: 'Amount' }] },
  },
})

/** A service whose language counts the statements that it reads, with a clock that the test moves. */
async function counting(settings: Readonly<Record<string, unknown>> = {}) {
  const seen = { read: 0, now: Date.parse('2026-01-01T12:00:00Z') }
  const language: typeof semanticQl = {
    ...semanticQl,
    read: (request) => {
      seen.read += 1
      return semanticQl.read(request)
    },
  }
  const plugin = definePlugin({ name: 'counted', host: '*', setup: (host) => host.languages.register(language) })
  const plugins = [duckdbDialect, postgresDialect, sqliteDialect, evaluator, plugin]
  const host = await createHost(
    { plugins, settings },
    { environment: { process: {}, dotenv: {} }, now: () => new Date(seen.now) },
  )
  await host.start()
  const { service } = host
  async function load(json: object = model(), session?: string) {
    const sessionId = session ?? (await service.createSession({ metadata: {}, client: 'test', by: undefined })).session_id
    const { modelId } = await service.loadModel(sessionId, { asker: undefined, model_json: json })
    return { sessionId, modelId }
  }
  return { seen, service, load, close: () => host.close() }
}

/** The text of the one query of a statement. */
const sqlOf = ({ sql }: { readonly sql: string }) => sql

const ONE = 'SELECT "Shop", "Revenue" FROM shop'
const RANKED = 'SELECT s."Shop", rank() OVER (ORDER BY s.r) FROM (SELECT "Shop", SUM("Revenue") AS r FROM shop GROUP BY 1) s'

t.test('a statement is read once on every surface, and its compilation is the same value', async (t) => {
  const { seen, service, load, close } = await counting()
  t.teardown(close)
  const target = await load()
  for (const [sql, kind] of [
    [ONE, 'model_query'],
    [RANKED, 'outer'],
    ['SELECT * FROM shop LIMIT 3', 'model_query'],
  ] as const) {
    const begun = seen.read
    const first = await service.compileSql({ asker: undefined, target, sql })
    const again = await service.compileSql({ target, sql, asker: { principal: { id: 'other' }, surface: 'flight' } })
    t.equal(first.kind, kind)
    t.same(again.columns, first.columns)
    t.equal(again.sql, first.sql)
    t.equal(again.outerSql, first.outerSql)
    t.same(again.modelQueries[0]?.query, first.modelQueries[0]?.query)
    t.match(await service.classifySql({ asker: undefined, target, sql }), { kind })
    t.same((await service.describeSql({ asker: undefined, target, sql })).columns, first.columns)
    t.equal(seen.read, begun + 1, sql)
  }
  const ask = () => service.compileSql({ asker: undefined, target, sql: ONE, checked: false })
  const [one, again] = [await ask(), await ask()]
  t.equal(one.modelQueries[0]?.compiled, again.modelQueries[0]?.compiled)
})

t.test('values of parameters, with their types, are part of the statement', async (t) => {
  const { seen, service, load, close } = await counting()
  t.teardown(close)
  const target = await load()
  const sql = 'SELECT "Shop", "Revenue" FROM shop WHERE "Shop" = $1'
  const ask = async (...parameters: NonNullable<Parameters<typeof service.compileSql>[0]['parameters']>) =>
    sqlOf(await service.compileSql({ asker: undefined, target, sql, parameters }))
  const first = await ask({ value: 'a' })
  t.match(await ask({ value: 'b' }), "'b'")
  t.match(await ask({ value: '1' }), "'1'")
  t.match(await ask({ value: '1', type: { kind: 'string' } }), "'1'")
  t.equal(seen.read, 4)
  t.equal(await ask({ value: 'a' }), first)
  t.equal(seen.read, 4)
  await t.rejects(ask(), { code: 'UNBOUND_PARAMETER' })
})

t.test('one reading serves every dialect; each has its own text', async (t) => {
  const { seen, service, load, close } = await counting()
  t.teardown(close)
  const target = await load()
  const sql = `SELECT "Revenue" FROM shop WHERE "Shop" LIKE 'a%'`
  const query = { select: { measures: ['Revenue'] }, where: [{ field: 'Shop', op: 'like', value: 'a%' }] }
  for (const dialect of ['duckdb', 'postgres', 'sqlite', 'duckdb']) {
    const compiled = await service.compileSql({ asker: undefined, target, sql, dialect })
    t.equal(compiled.dialect, dialect)
    t.equal(compiled.sql, (await service.compile({ asker: undefined, target, query, dialect })).sql)
  }
  t.equal(seen.read, 1)
})

t.test('sessions, models and their time zones share nothing', async (t) => {
  const { seen, service, load, close } = await counting()
  t.teardown(close)
  const [mine, yours] = [await load(), await load()]
  const ask = (target: object, sql = ONE) => service.compileSql({ asker: undefined, target, sql })
  const handleOf = async (target: object) => (await ask(target)).modelQueries[0]?.compiled.handle
  t.match(await handleOf(mine), mine)
  t.match(await handleOf(yours), yours)
  t.match(await handleOf(mine), mine)
  t.equal(seen.read, 2, 'the same model, in two sessions')

  const largest = await load(model({ aggregation: 'max' }))
  t.match(sqlOf(await ask(largest)), /MAX\(/)
  t.match(sqlOf(await ask(mine)), /SUM\(/)

  const at = (queryTimezone: string) => load(model({ settings: { queryTimezone } }))
  const noon = `SELECT "Revenue" FROM shop WHERE "At" >= $1`
  const parameters = [{ value: '2026-06-01 12:00:00', type: { kind: 'timestamp' } as const }]
  const [berlin, tokyo] = [await at('Europe/Berlin'), await at('Asia/Tokyo')]
  const since = async (target: object) => sqlOf(await service.compileSql({ asker: undefined, target, sql: noon, parameters }))
  t.not(await since(berlin), await since(tokyo))

  await service.loadModel(mine.sessionId, { asker: undefined, model_json: model({ name: 'shop', aggregation: 'min' }) })
  await t.rejects(ask({ sessionId: mine.sessionId }), 'the name now means two models')
  await service.deleteModel(mine.sessionId, mine.modelId, undefined)
  t.match(sqlOf(await ask({ sessionId: mine.sessionId })), /MIN\(/)
  await service.deleteSession(yours.sessionId, undefined)
  await t.rejects(ask(yours), { code: 'SESSION_NOT_FOUND' }, 'a session that has ended')
})

t.test('a model whose fields are in another order is another one, although its content is the same', async (t) => {
  const { service, load, close } = await counting()
  t.teardown(close)
  const { dimensions, ...rest } = model()
  const turned = { ...rest, dimensions: Object.fromEntries(Object.entries(dimensions).toReversed()) }
  const columns = async (target: object) =>
    (await service.compileSql({ asker: undefined, target, sql: 'SELECT * FROM shop LIMIT 1' })).columns.map(({ name }) => name)
  const first = await load()
  t.same(await columns(first), ['Shop', 'Day', 'At', 'Revenue', 'Sales Count'])
  await service.deleteSession(first.sessionId, undefined)
  t.same(await columns(await load(turned)), ['At', 'Day', 'Shop', 'Revenue', 'Sales Count'])
})

t.test('a reading with CURRENT_DATE is kept, and its compilation is of the day; one with now() is not kept', async (t) => {
  const long = (365 * DAY_MS) / 1000
  const { seen, service, load, close } = await counting({ SESSION_TTL_SECONDS: long, SESSION_MAX_AGE_SECONDS: long })
  t.teardown(close)
  const target = await load()
  const ask = (sql: string) => service.compileSql({ asker: undefined, target, sql })
  const since = (present: string) => `SELECT "Revenue" FROM shop WHERE "Day" >= ${present}`
  const ranked = (present: string) => RANKED.replace('s."Shop", rank', `${present} AS present, rank`)
  const today = await ask(since('CURRENT_DATE'))
  t.match(today.sql, '2026-01-01')
  t.match((await ask(since(`date_trunc('day', now())`))).sql, '2026-01-01')
  t.match((await ask(ranked('CURRENT_DATE'))).outerSql, '2026-01-01')
  t.match((await ask(ranked('now()'))).outerSql, '2026-01-01T12:00:00+00')
  seen.now += 60_000
  t.equal((await ask(since('CURRENT_DATE'))).sql, today.sql)
  t.equal(seen.read, 4)
  t.match((await ask(ranked('now()'))).outerSql, '2026-01-01T12:01:00+00')
  seen.now += DAY_MS
  const kept = seen.read
  t.match((await ask(since('CURRENT_DATE'))).sql, '2026-01-02')
  t.equal(seen.read, kept)
  t.match((await ask(since(`date_trunc('day', now())`))).sql, '2026-01-02')
  t.match((await ask(ranked('CURRENT_DATE'))).outerSql, '2026-01-02')
  t.match((await ask(ranked('now()'))).outerSql, '2026-01-02T12:01:00+00')
})

t.test('a server that keeps no compiled queries keeps no readings either', async (t) => {
  const { seen, service, load, close } = await counting({ COMPILE_CACHE_MAX_ENTRIES: 0 })
  t.teardown(close)
  const target = await load()
  for (let i = 0; i < 3; i++) await service.compileSql({ asker: undefined, target, sql: ONE })
  t.equal(seen.read, 3)
})
