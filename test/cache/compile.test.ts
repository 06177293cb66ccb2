/** The compile cache as a client observes it: the database gets fewer checks, and never for a wrong text. */
import { definePlugin } from '@grainline/core'
import type { Vendor } from '@grainline/core/vendor'
import t from 'tap'
import { dialects, startRest, type TestOptions } from '../rest/server.js'
import { shopModel, shopQuery } from '../rest/shop.js'
import { nothing } from '../rest/vendor.js'
import { holds } from '../specification/holds.js'

const DAY = 86_400

/** A database that counts its checks, and accepts statements as long as the test says so. */
function checking(settings: Readonly<Record<string, unknown>> = {}) {
  const seen = { checked: [] as string[], accepts: true, reachable: true }
  const connect: Vendor['connect'] = async () => ({
    query: nothing,
    check: async (sql) => {
      seen.checked.push(sql)
      await new Promise((turn) => setTimeout(turn, 5))
      if (!seen.reachable) throw new Error('the line is cut')
      return seen.accepts ? { valid: true } : { valid: false, message: 'no such table' }
    },
    explain: async () => ({ format: 'text', output: '' }),
    timezone: async () => 'UTC',
    close: async () => {},
  })
  const plugin = definePlugin({
    name: 'test-vendor',
    host: '*',
    setup: (host) => host.vendors.register({ name: 'duckdb', dialect: 'duckdb', connect }),
  })
  return { seen, options: { plugins: [...dialects, plugin], settings: { QUERY_EXECUTE: true, ...settings } } as TestOptions }
}

t.test('a query is compiled and checked once, for all sessions with the same model', async (t) => {
  holds(t, 'cache.compile')
  const { seen, options } = checking()
  const server = await startRest(options)
  t.teardown(() => server.close())
  const [one, other] = [await server.shop(), await server.shop()]
  const ask = ({ session, model }: typeof one, query: object = shopQuery) =>
    server.post(`/v1/sessions/${session}/query/sql`, { model_id: model, query })
  const first = await ask(one)
  t.match(first.body, { sql_valid: true, warnings: [] })
  t.same((await ask(one)).body, first.body)
  t.same((await ask(other, { ...shopQuery, orderBy: shopQuery.order_by, order_by: undefined })).body, first.body)
  t.equal(seen.checked.length, 1)
  await ask(one, { ...shopQuery, limit: 3 })
  t.equal(seen.checked.length, 2, 'another question is another text')
})

t.test('clients that ask at the same time share one check', async (t) => {
  const { seen, options } = checking()
  const server = await startRest(options)
  t.teardown(() => server.close())
  await server.shop()
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.post('/v1/query/sql', shopQuery)))
  for (const { body } of answers) t.equal(body.sql_valid, true)
  t.equal(seen.checked.length, 1)
})

t.test('after a database error or a failed check, the next request runs the check again', async (t) => {
  const { seen, options } = checking()
  const server = await startRest(options)
  t.teardown(() => server.close())
  await server.shop()
  const ask = () => server.post('/v1/query/sql', shopQuery)
  seen.accepts = false
  t.match((await ask()).body, { sql_valid: false, warnings: [{ code: 'SQL_REJECTED' }] })
  seen.reachable = false
  t.equal((await ask()).status, 500)
  Object.assign(seen, { accepts: true, reachable: true })
  t.match((await ask()).body, { sql_valid: true, warnings: [] })
  await ask()
  t.equal(seen.checked.length, 3)
})

t.test('a query about the present is compiled again when its period has passed, and for another time zone', async (t) => {
  const sales = `(SELECT 1 AS id, TIMESTAMPTZ '2026-01-01 12:00:00Z' AS sold_at)`
  const dataObjects = {
    Sales: {
      code: sales,
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        At: { code: 'sold_at', abstractType: 'timestamp_tz' },
      },
    },
  }
  const changes = {
    dataObjects,
    dimensions: { Sold: { dataObject: 'Sales', column: 'At' } },
    measures: {},
    metrics: {},
    examples: [],
  }
  const long = 365 * DAY
  const { seen, options } = checking({ SESSION_TTL_SECONDS: long, SESSION_MAX_AGE_SECONDS: long })
  const server = await startRest({ ...options, start: Date.parse('2026-01-01T22:30:00Z') })
  t.teardown(() => server.close())
  await server.shop(changes)
  const last = async (unit: string, timezone = 'UTC') => {
    const where = [{ field: 'Sold', op: 'relative', value: { unit, count: 1 } }]
    return (await server.post('/v1/query/sql', { select: { measures: ['Sales Count'] }, where, timezone })).body.sql as string
  }
  const day = await last('day')
  t.match(day, '2026-01-01')
  server.pass(3600)
  t.equal(await last('day'), day, 'within the day')
  t.equal(seen.checked.length, 1)
  t.match(await last('day', 'Europe/Berlin'), '2026-01-02', 'where it is past midnight')
  server.pass(3600)
  t.match(await last('day'), '2026-01-02')
  t.equal(await last('month'), await last('month'))
  server.pass(-7200)
  t.equal(await last('day'), day, 'a clock that was set back')
  server.pass(31 * DAY)
  t.match(await last('month'), '2026-02-01')
})

t.test('a query without its own limit is compiled separately for execution', async (t) => {
  const server = await startRest({ ...checking().options, settings: { QUERY_EXECUTE: true, QUERY_DEFAULT_LIMIT: 7 } })
  t.teardown(() => server.close())
  await server.shop()
  const run = async () => (await server.post('/v1/query/execute', shopQuery)).body.sql as string
  const compile = async () => (await server.post('/v1/query/sql', shopQuery)).body.sql as string
  for (let i = 0; i < 2; i++) {
    t.match(await run(), /LIMIT 8/)
    t.notMatch(await compile(), /LIMIT/)
  }
})

t.test('models that differ in one word share no compiled query', async (t) => {
  const server = await startRest(checking().options)
  t.teardown(() => server.close())
  const sums = { ...shopModel.measures }
  const means = { Revenue: { ...shopModel.measures.Revenue, aggregation: 'max' } }
  for (const [measures, sql] of [
    [sums, /SUM\(/],
    [means, /MAX\(/],
    [sums, /SUM\(/],
  ] as const) {
    const { session, model } = await server.shop({ measures })
    t.match((await server.post(`/v1/sessions/${session}/query/sql`, { model_id: model, query: shopQuery })).body.sql, sql)
  }
})

for (const [name, settings] of [
  ['no entry is allowed', { COMPILE_CACHE_MAX_ENTRIES: 0 }],
  ['no byte is allowed', { COMPILE_CACHE_MAX_BYTES: 0 }],
  ['every question is larger than an entry may be', { COMPILE_CACHE_MAX_ENTRY_BYTES: 100 }],
] as const) {
  t.test(`nothing is cached if ${name}`, async (t) => {
    holds(t, 'cache.compile')
    const { seen, options } = checking(settings)
    const server = await startRest(options)
    t.teardown(() => server.close())
    await server.shop()
    const answers = [await server.post('/v1/query/sql', shopQuery), await server.post('/v1/query/sql', shopQuery)]
    t.same(answers[0]?.body, answers[1]?.body)
    t.equal(seen.checked.length, 2)
  })
}

t.test('the values of a dimension are counted with a separate model', async (t) => {
  const server = await startRest({ plugins: [...dialects, '@grainline/vendor-duckdb'], settings: { QUERY_EXECUTE: true } })
  t.teardown(() => server.close())
  await server.shop({ exposeCounts: false, metrics: {} })
  for (let i = 0; i < 2; i++) {
    t.match((await server.get('/v1/values/Region')).body.values, [{ count: 2 }, { count: 1 }, { value: null }])
    t.match((await server.get('/v1/values/Sale%20Id?search=3')).body.values, [{ value: 3, count: 1 }])
    t.match((await server.get('/v1/values/Region?search=nor')).body.values, [{ value: 'North', count: 2 }])
  }
})
