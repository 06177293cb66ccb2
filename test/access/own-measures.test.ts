/** Measures that a query writes itself, over REST: their values, receipts and rows, and whose rows and columns they read. */
import t from 'tap'
import { servedShop } from './served.js'
import { MODEL, TABLES } from './shop.js'

const HIDING = MODEL.replace(
  '  unbound:',
  '  fields: [{ hide: [Customers.Zip, Revenue], publish: [Average], unless: [auditor, admin] }]\n  unbound:',
)
const served = (t: Parameters<typeof servedShop>[0], model = MODEL) =>
  servedShop(t, { model, tables: TABLES, plugins: ['@grainline/evaluator-duckdb'] })

const LARGEST = { as: 'Largest Order', aggregation: 'max', expression: '{[Orders].[Amount]}' }
const NORTHERN = {
  as: 'Northern Revenue',
  aggregation: 'sum',
  columns: [{ dataObject: 'Orders', column: 'Amount' }],
  filters: [{ field: 'Customers.Region', op: '=', value: 'North' }],
}
const SHARE = { as: 'Northern Share', expression: '{[Northern Revenue]} / {[Revenue]}', format: '0.0%' }

t.test('the rows of a policy are those of a measure of the query', async (t) => {
  const { rows } = await served(t)
  const query = { select: { dimensions: ['Region'], measures: ['Revenue', LARGEST] }, order_by: [{ field: 'Region' }] }
  t.same(await rows('auditor', query), [
    ['North', 30, 20],
    ['South', 100, 100],
    [null, 11000, 10000],
  ])
  t.same(await rows('north', query), [['North', 30, 20]])
  t.same(await rows('south', query), [['South', 100, 100]])
  t.same(await rows('empty', { select: { measures: [LARGEST] } }), [[null]])
})

t.test('a measure may read others of the query, and filters, order and top name them', async (t) => {
  const { rows, post } = await served(t)
  const select = { dimensions: ['Region'], measures: ['Northern Share'] }
  const query = { select, measures: [SHARE, NORTHERN], having: [{ field: 'Northern Revenue', op: '>', value: 0 }] }
  t.same(await rows('auditor', query), [['North', 1]])
  t.same(await rows('auditor', { select: { measures: [SHARE] }, measures: [NORTHERN] }), [[30 / 11130]])
  const top = { dimension: 'Region', by: 'Largest Order', n: 1, others: 'Others' }
  t.same(await rows('auditor', { select: { dimensions: ['Region'], measures: ['Revenue', LARGEST] }, top }), [
    ['South', '100', 100, false],
    ['Others', '11030', 10000, true],
  ])
  const { body } = await post('auditor', '/v1/query/execute', { query })
  t.match(body, { columns: [{}, { name: 'Northern Share', format: '0.0%' }] })
})

t.test('a receipt has the definitions, and the rows behind a number are its rows', async (t) => {
  const { post } = await served(t)
  const query = { select: { dimensions: ['Region'], measures: ['Northern Share'] }, measures: [SHARE, NORTHERN] }
  const { body } = await post('auditor', '/v1/query/execute?receipt=true', { query })
  t.match(body.receipt.definitions, [
    { name: 'Region' },
    { name: 'Northern Share', kind: 'metric', definition: '{[Northern Revenue]} / {[Revenue]}' },
    { name: 'Northern Revenue', kind: 'measure', definition: /^sum\(Orders\.Amount\), where Customers\.Region = "North"$/ },
    { name: 'Revenue', kind: 'measure' },
  ])
  const behind = await post('auditor', '/v1/query/rows', { query, measure: 'Northern Share', cell: { Region: 'North' } })
  t.equal(behind.status, 200, behind.text)
  t.match(behind.body.facts ?? behind.body, [
    { measure: 'Northern Revenue', reconciled: true, row_count: 2 },
    { measure: 'Revenue', reconciled: true, row_count: 2 },
  ])
})

t.test('two queries with one name have their own answers, also from the cache', async (t) => {
  const { rows } = await servedShop(t, { plugins: ['@grainline/cache-memory'], settings: { CACHE_BACKEND: 'memory' } })
  const ask = (aggregation: string) =>
    rows('auditor', { select: { measures: [{ as: 'X', aggregation, expression: '{[Orders].[Amount]}' }] } })
  for (let i = 0; i < 2; i++) {
    t.same(await ask('max'), [[10000]])
    t.same(await ask('min'), [[10]])
  }
})

t.test('a measure of the query reads nothing that is hidden', async (t) => {
  const { post, rows } = await served(t, HIDING)
  const ask = async (who: 'north' | 'auditor', measure: object) =>
    (await post(who, '/v1/query/execute', { query: { select: { measures: [measure] } } })).body
  const zip = { as: 'X', aggregation: 'max', expression: '{[Customers].[Zip]}' }
  t.match(await ask('auditor', zip), { rows: [['none']] })
  const refused = await ask('north', zip)
  t.match(refused, { code: 'UNKNOWN_COLUMN_IN_EXPRESSION', errors: [{ path: 'select.measures[0].expression' }] })
  t.notMatch(JSON.stringify(refused).replaceAll("'Zip' is not", ''), /Zip/)
  t.match(await ask('north', { as: 'X', expression: '{[Revenue]} * 2' }), { code: 'UNKNOWN_MEASURE_REF' })
  t.notMatch(JSON.stringify(await ask('north', { as: 'X', expression: '{[Revenu]} * 2' })), /Revenue/)
  // What is published may be read on.
  t.same(await rows('north', { select: { measures: [{ as: 'X', expression: '{[Average]} * 2' }] } }), [[30]])
  const filtered = { ...LARGEST, filters: [{ field: 'Customers.Zip', op: '=', value: '101' }] }
  t.match(await ask('north', filtered), { code: /^UNKNOWN_/ })
})

/** Orders that cost much are counted for everybody, and their cost is hidden. */
const COSTLY = MODEL.replace(
  '      Amount: {',
  '      Cost: { code: cost, abstractType: int }\n      Placed: { code: placed, abstractType: date }\n      Amount: {',
)
  .replace('  Zip No: { dataObject', '  Placed: { dataObject: Orders, column: Placed }\n  Zip No: { dataObject')
  .replace(
    'measures:\n',
    `measures:
  Costly Orders: { columns: [{ dataObject: Orders, column: Id }], aggregation: count, filters: [{ field: Orders.Cost, op: '>', value: 5 }] }
  Mean Cost: { columns: [{ dataObject: Orders, column: Cost }], aggregation: avg }
`,
  )
  .replace('  unbound:', '  fields: [{ hide: [Orders.Cost], publish: [Costly Orders, Mean Cost], unless: [admin] }]\n  unbound:')

t.test('a conversion of the query reads published counts, and tells no more than their groups and the lists', async (t) => {
  const tables = TABLES.map((text) =>
    text.startsWith('CREATE TABLE orders')
      ? "CREATE TABLE orders AS SELECT * FROM (VALUES (1, 1, 1, 10, 3, DATE '2026-01-01'), (2, 1, 1, 20, 9, DATE '2026-01-03'), (3, 1, 1, 5, 1, DATE '2026-01-20')) AS t(id, customer_id, referrer_id, amount, cost, placed)"
      : text,
  )
  const { rows, post, get } = await servedShop(t, { model: COSTLY, tables, plugins: ['@grainline/evaluator-duckdb'] })
  const conversion = {
    as: 'Own',
    type: 'conversion',
    base: 'Orders Count',
    entity: 'Customer',
    window: '7d',
    calculation: 'count',
  }
  const own = (of: string) => ({ select: { measures: [{ ...conversion, conversion: of }] } })
  t.same(await rows('north', own('Costly Orders')), [[1]])
  const groups = { select: { dimensions: ['Customer', 'Placed'], measures: ['Costly Orders'] }, order_by: [{ field: 'Placed' }] }
  t.same(
    ((await rows('north', groups)) as unknown[][]).map((row) => row.at(-1)),
    [1],
    'the same from the groups by the entity and the time',
  )
  const { text } = await post('north', '/v1/query/execute', { query: own('Mean Cost') })
  t.notMatch(text.replaceAll('Mean Cost', '').replaceAll('Costly', ''), /Cost|hidden_|…/)
  t.match((await get('north', '/v1/measures/Mean Cost')).body, { aggregation: 'avg', columns: [] }, 'lists say what it does')
})

/** A unit is in a hidden column, and a published metric is made of a hidden measure. */
const SECRETIVE = HIDING.replace(
  'Amount: { code: amount, abstractType: int }',
  `Amount: { code: amount, abstractType: int, unit: { column: Currency } }
      Currency: { code: currency, abstractType: string }`,
).replace('hide: [', 'hide: [Orders.Currency, ')

t.test('no error names what is hidden, on any door that takes a query', async (t) => {
  const tables = TABLES.map((text) => text.replace('orders AS SELECT *', "orders AS SELECT *, 'EUR' AS currency"))
  const { post } = await servedShop(t, { model: SECRETIVE, tables })
  const amount = { as: 'X', aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Amount' }] }
  const rank = { as: 'X', type: 'window', windowFunction: 'rank', measure: 'Average' }
  for (const [measure, code] of [
    [{ ...amount, unit: 'EUR' }, 'UNIT_MISMATCH'],
    [rank, 'NO_ROWS_BEHIND'],
  ] as const) {
    const query = { select: { measures: [measure] } }
    for (const url of ['execute', 'plan', 'sql', 'rows', 'semantic-ql']
      .map((path) => `/v1/query/${path}`)
      .concat('/v1/composables')) {
      const { text } = await post('north', url, { query, measure: 'X', cell: {} })
      t.notMatch(text, /hidden_|Currency/, `${url}: ${code}`)
    }
    t.match((await post('north', '/v1/query/rows', { query, measure: 'X', cell: {} })).body, { code })
  }
})

t.test('the names of joins are known to a measure of somebody from whom fields are hidden', async (t) => {
  const { rows, post } = await served(t, HIDING)
  const referred = (pathName: string) => ({
    as: 'Referrers',
    aggregation: 'count',
    columns: [{ dataObject: 'Customers', column: 'Id' }],
    filters: [{ field: 'Customers', op: 'exists', subquery: { dataObject: 'Orders', pathName } }],
  })
  t.same(await rows('auditor', { select: { measures: [referred('referrer')] } }), [[2]])
  t.same(await rows('north', { select: { measures: [referred('referrer')] } }), [[1]])
  const { body } = await post('north', '/v1/query/execute', { query: { select: { measures: [referred('referer')] } } })
  t.match(body, { code: 'UNKNOWN_PATH_NAME', errors: [{ suggestions: ['referrer'] }] })
})

t.test('mistakes have a place, and the nearest name', async (t) => {
  const { post } = await served(t)
  const faultOf = async (query: object) => {
    const { status, body } = await post('auditor', '/v1/query/execute', { query })
    const [{ code, path, message, suggestions }] = body.errors
    return { status, code, path, message, suggestions }
  }
  const select = (measure: object) => ({ select: { measures: [measure] } })
  const at = 'select.measures[0]'
  t.match(await faultOf(select({ ...LARGEST, as: 'Revenue' })), { code: 'INVALID_QUERY', path: `${at}.as` })
  t.match(await faultOf(select({ ...LARGEST, as: 'revenue' })), { code: 'INVALID_QUERY', path: `${at}.as` })
  t.match(await faultOf({ select: { measures: ['Largest Order'] }, measures: [LARGEST, LARGEST] }), {
    code: 'INVALID_QUERY',
    path: 'measures[1].as',
  })
  t.match(await faultOf(select({ ...LARGEST, aggregation: 'maxx' })), { path: `${at}.aggregation`, suggestions: ['max'] })
  t.match(await faultOf(select({ ...LARGEST, expression: '{[Orders].[Amuont]}' })), {
    path: `${at}.expression`,
    suggestions: ['Amount'],
  })
  t.match(await faultOf(select({ ...LARGEST, hidden: true })), { code: 'UNKNOWN_PROPERTY', path: `${at}.hidden` })
  t.match(await faultOf(select({ as: 'X', expression: '{[Orders].[Amount]}' })), {
    code: 'INVALID_METRIC',
    message: /columns belong in measures/,
  })
  t.match(await faultOf(select({ as: 'X', expression: 'read_text({[Revenue]})' })), { code: 'NON_PORTABLE_FUNCTION' })
  t.match(await faultOf(select({ aggregation: 'max', expression: '{[Orders].[Amount]}' })), { path: `${at}.as` })
  t.match(await faultOf({ select: { measures: ['X'] }, measures: ['X'] }), { code: 'INVALID_QUERY', path: 'measures' })
  t.match(
    await faultOf({
      select: { measures: ['A'] },
      measures: [
        { as: 'A', expression: '{[B]}' },
        { as: 'B', expression: '{[A]}' },
      ],
    }),
    {
      code: 'CYCLIC_METRIC',
    },
  )
})
