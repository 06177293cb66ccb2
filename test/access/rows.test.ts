/** Row policies, as people with different keys see them over REST. */
import t from 'tap'
import { servedShop } from './served.js'
import { MODEL, TABLES } from './shop.js'

const byRegion = { select: { dimensions: ['Region'], measures: ['Revenue'] }, order_by: [{ field: 'Region' }] }
const total = { select: { measures: ['Revenue'] } }

t.test('a number is that of the rows that a principal may see', async (t) => {
  const { rows } = await servedShop(t)
  t.same(await rows('north', byRegion), [['North', 30]])
  t.same(await rows('also', byRegion), [['North', 30]], 'one value is a list of one')
  t.same(await rows('south', byRegion), [['South', 100]])
  t.same(await rows('north', total), [[30]], 'orders of nobody are gone, though nothing of their customer is asked')
  t.same(await rows('south', total), [[100]])
  t.same(await rows('empty', total), [[null]], 'no region, no rows')
  t.same(await rows('auditor', total), [[11130]], 'a role that no policy binds')
  t.same(await rows('ops', total), [[11130]])
  t.same(await rows('none', total), 'ACCESS_ATTRIBUTE_MISSING')
})

t.test('other ways to the object show nothing of removed rows', async (t) => {
  const { rows, get } = await servedShop(t)
  const byReferrer = {
    select: { dimensions: ['Customer'], measures: ['Revenue'] },
    use_path_names: [{ source: 'Orders', target: 'Customers', pathName: 'referrer' }],
    order_by: [{ field: 'Customer' }],
  }
  t.same(
    await rows('north', byReferrer),
    [
      ['Ann & Co', 20],
      [null, 10],
    ],
    'the referrer of the south is NULL, also where a foreign key would show its key',
  )
  t.same(await rows('north', { select: { fields: ['Customers.Name'] } }), [['Ann & Co']])
  t.same(await rows('south', { select: { fields: ['Regions.Name'] } }), [['South']])
  const values = await get('north', '/v1/dimensions/Region/values')
  t.notMatch(values.text, /South/)
  const { text } = await get('south', '/v1/dimensions/Customer/values?all=true')
  t.notMatch(text, /Ann|Lost/)
})

t.test('no zone of a question brings back a row whose stored day a policy removes', async (t) => {
  const model = MODEL.replace(
    'Amount: { code: amount, abstractType: int }',
    'Amount: { code: amount, abstractType: int }\n      Day: { code: day, abstractType: date }',
  ).replace(
    'unbound:',
    "  - { name: since, dataObject: Orders, where: { field: Orders.Day, op: '>=', value: 2024-01-01 }, unless: [admin] }\n  unbound:",
  )
  const orders =
    "CREATE TABLE orders AS SELECT id, customer_id, referrer_id, amount, CAST(day AS TIMESTAMPTZ) AS day FROM (VALUES (1, 1, 1, 10, '2023-12-31 23:30:00+00'), (2, 1, 1, 100, '2024-01-01 00:30:00+00')) AS t(id, customer_id, referrer_id, amount, day)"
  const tables = TABLES.map((table) => (table.startsWith('CREATE TABLE orders') ? orders : table))
  const { rows } = await servedShop(t, { tables, model })
  const inZone = (timezone: string) => ({ ...total, timezone })
  t.same(await rows('north', total), [[100]], 'the zone of the model is UTC')
  t.same(await rows('north', inZone('Europe/Berlin')), [[100]], 'there, both are on the first of January')
  t.same(await rows('north', inZone('America/New_York')), [[100]], 'there, none is')
  t.same(await rows('ops', inZone('Europe/Berlin')), [[110]])
  const { rows: inBerlin } = await servedShop(t, {
    tables,
    model: model.replace('defaultDialect: duckdb', 'defaultDialect: duckdb, queryTimezone: Europe/Berlin'),
  })
  t.same(await inBerlin('north', inZone('UTC')), [[110]], 'the zone of the model is that of Berlin')
})

t.test('a condition that fails on a removed row does not fail', async (t) => {
  const { rows } = await servedShop(t)
  const of = (filter: object) => ({ select: { dimensions: ['Customer'], measures: ['Revenue'] }, where: [filter] })
  t.same(await rows('north', of({ field: 'Zip No', op: '>', value: 5 })), [['Ann & Co', 30]])
  t.same(await rows('north', { select: { dimensions: ['Zip No'], measures: ['Revenue'] } }), [[101, 30]])
  t.same(await rows('south', of({ field: 'Zip No', op: '>', value: 5 })), 'DATABASE_ERROR', 'of an own row it does')
})

t.test('nobody whom a policy binds sees a statement, a plan or the text of the model', async (t) => {
  const { post, get } = await servedShop(t)
  const secrets = /customer_id|"customers"|FROM |own regions/
  for (const who of ['north', 'empty', 'none'] as const) {
    const answer = await post(who, '/v1/query/execute', { query: total })
    if (who !== 'none')
      t.match(answer.body, { sql: null, explain: null, physical_tables: [], warnings: [{ code: 'SQL_WITHHELD' }] })
    const refused = [
      await post(who, '/v1/query/sql', { query: total }),
      await post(who, '/v1/query/plan', { query: total, include_database_explain: true }),
      await post(who, '/v1/query/semantic-ql/compile', { sql: 'SELECT Revenue FROM shop' }),
      await post(who, '/v1/query/semantic-ql', { sql: 'EXPLAIN SELECT Revenue FROM shop' }),
      await get(who, '/v1/sessions/shop/models/shop/source'),
    ]
    for (const { status, body } of refused) {
      t.equal(status, 403, JSON.stringify(body))
      t.match(body.code, who === 'none' ? /SQL_WITHHELD|ACCESS_ATTRIBUTE_MISSING/ : 'SQL_WITHHELD')
    }
    for (const { text } of [answer, ...refused]) t.notMatch(text, secrets)
    const example = await get(who, '/v1/examples/revenue')
    t.equal(example.body.compiled_sql_preview, null)
  }
  t.match((await post('developer', '/v1/query/sql', { query: total })).body, { sql: /FROM/ }, 'a role that access.sql lists')
  t.match((await post('auditor', '/v1/query/sql', { query: total })).body, { sql: /FROM/ }, 'somebody whom nothing binds')
  t.match((await get('ops', '/v1/sessions/shop/models/shop/source')).text, /own regions/, 'an administrator whom nothing binds')
  t.equal((await get('auditor', '/v1/sessions/shop/models/shop/source')).status, 403)
})

t.test('errors of the database show nothing of the statement', async (t) => {
  const { post } = await servedShop(t)
  const { body } = await post('south', '/v1/query/execute', {
    query: { select: { dimensions: ['Zip No'], measures: ['Revenue'] } },
  })
  t.equal(body.code, 'DATABASE_ERROR')
  t.notMatch(JSON.stringify(body), /zip|none|CAST/i)
})

t.test('principals share neither answers nor tags, unless they see the same rows', async (t) => {
  const { post, get } = await servedShop(t, {
    settings: {
      CACHE_BACKEND: 'memory',
      CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl',
      CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: 300,
    },
    plugins: ['@grainline/cache-memory'],
  })
  const ask = async (who: 'north' | 'also' | 'south' | 'auditor') => {
    const { body } = await post(who, '/v1/query/execute', { query: total })
    return [body.rows[0][0], body.cached]
  }
  t.same(await ask('north'), [30, false])
  t.same(await ask('south'), [100, false])
  t.same(await ask('auditor'), [11130, false])
  t.same(await ask('also'), [30, true], 'an equal one')
  t.same(await ask('north'), [30, true])
  t.same(await ask('south'), [100, true])
  const tagOf = async (who: 'north' | 'also' | 'south') => String((await get(who, '/v1/schema')).headers.etag)
  t.equal(await tagOf('north'), await tagOf('also'))
  t.not(await tagOf('north'), await tagOf('south'))
  const other = await get('south', '/v1/schema', { 'if-none-match': await tagOf('north') })
  t.equal(other.status, 200)
})

t.test('beside access rules clients load no models, and verify is for administrators', async (t) => {
  const { post, get } = await servedShop(t)
  t.equal((await post('north', '/v1/verify')).status, 403)
  t.equal((await post('auditor', '/v1/verify')).status, 403)
  const verified = await post('ops', '/v1/verify')
  t.equal(verified.status, 200, verified.text)
  t.match((await get('north', '/v1/sessions/shop/models/shop')).body, { verification: undefined })
  const { body } = await post('north', '/v1/query/execute?receipt=true', { query: total })
  t.match(body.receipt.filters, ['Your regions (access)', 'Your regions (access)'])
  t.notMatch(JSON.stringify(body), /VERIFY_/)
})

t.test('metrics and the state of the cache count the rows of everybody, and are for administrators', async (t) => {
  const { get } = await servedShop(t, { settings: { METRICS_ENABLED: true } })
  for (const url of ['/v1/telemetry/metrics', '/v1/cache/stats']) {
    for (const who of ['north', 'auditor', 'developer', 'app'] as const)
      t.match(await get(who, url), { status: 403, text: /ADMIN_REQUIRED/ }, `${who} ${url}`)
    t.equal((await get('ops', url)).status, 200, url)
  }
})
