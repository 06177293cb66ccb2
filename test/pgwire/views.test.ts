/** Views as tables on the SQL surfaces of a served process: every question is that to the model, with the names and the conditions of the view. */
import path from 'node:path'
import { connectFlightSql } from '@grainline/flight-sql'
import pg from 'pg'
import t from 'tap'
import { KEYS, KEYS_FILE, type Who } from '../access/shop.js'
import { rowsOf } from '../flight/rows-of.js'
import { serve } from '../rest/serve.js'

t.setTimeout(600_000)

const ORDERS =
  "(SELECT * FROM (VALUES (1, 'NO', 'Oslo', 'paid', 80), (2, 'NO', 'Oslo', 'open', 30), (3, 'IT', 'Rome', 'paid', 10), (4, 'IT', 'Bari', 'paid', 30), (5, NULL, NULL, 'paid', 5)) AS t(id, country, town, status, amount))"
const TICKETS = "(SELECT * FROM (VALUES (1, 'NO'), (2, 'IT'), (3, 'IT')) AS t(id, country))"
const model = `
version: 1
name: shop
dataObjects:
  Orders:
    code: "${ORDERS}"
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Country: { code: country, abstractType: string }
      Town: { code: town, abstractType: string }
      Status: { code: status, abstractType: string }
      Amount: { code: amount, abstractType: int }
  Tickets:
    code: "${TICKETS}"
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Country: { code: country, abstractType: string }
dimensions:
  Country: { dataObject: Orders, column: Country, description: Where it went. }
  Town: { dataObject: Orders, column: Town }
  Status: { dataObject: Orders, column: Status }
  Ticket Country: { dataObject: Tickets, column: Country }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Largest: { aggregation: max, columns: [{ dataObject: Orders, column: Amount }] }
  Tickets Opened: { aggregation: count, columns: [{ dataObject: Tickets, column: Id }] }
metrics:
  Revenue per Order: { expression: '{[Revenue]} / {[Orders Count]}' }
views:
  Sales Overview:
    description: Paid orders, for the people in sales.
    default: true
    fields:
      - Revenue
      - { field: Country, as: Town }
      - { field: Town, as: Country }
      - { field: Revenue per Order, as: Basket }
    where: [{ field: Status, op: '=', value: paid }]
  Desk:
    fields: [Tickets Opened, { field: Ticket Country, as: Country }, { field: Country, as: Order Country }]
  Order Desk: { fields: [Tickets Opened, Country, Town], mainFact: Orders }
  By Status: { fields: [Revenue, Country], where: [{ field: Status, op: '=', value: open }] }
access:
  fields: [{ hide: [Status, Orders.Status, Revenue per Order], unless: [auditor, admin] }]
`
const folder = t.testdir({ 'shop.yaml': model, 'keys.yaml': KEYS_FILE })
const served = serve(
  {
    QUERY_EXECUTE: 'true',
    DUCKDB_DATABASE: ':memory:',
    MODEL_FILES: path.join(folder, 'shop.yaml'),
    AUTH_MODE: 'api_key',
    API_KEYS_FILE: path.join(folder, 'keys.yaml'),
    PGWIRE_ENABLED: 'true',
    PGWIRE_PORT: '0',
    PGWIRE_AUTH_MODE: 'scram-sha-256',
    FLIGHT_ENABLED: 'true',
    FLIGHT_PORT: '0',
  },
  folder,
)

async function client(t: Tap, who: Who) {
  const { process } = await served
  const [, port] = await process.shows(/postgres:\/\/[^:\s]+:(\d+)/)
  const connected = new pg.Client({ host: '127.0.0.1', port: Number(port), user: who, password: KEYS[who], database: 'shop' })
  await connected.connect()
  t.teardown(() => connected.end())
  return async (text: string, values?: readonly unknown[]): Promise<readonly (readonly unknown[])[]> =>
    (await connected.query<unknown[]>({ text, rowMode: 'array', ...(values && { values: [...values] }) })).rows
}
type Tap = Pick<typeof t, 'teardown'>

/** Statements on a view, and what they mean of the model. */
const PAIRS: readonly (readonly [string, string])[] = [
  [
    'SELECT "Town", "Revenue", "Basket" FROM "Sales Overview" ORDER BY 1',
    `SELECT "Country", "Revenue", "Revenue per Order" FROM shop WHERE "Status" = 'paid' ORDER BY 1`,
  ],
  ['SELECT "Revenue", "Basket"', `SELECT "Revenue", "Revenue per Order" FROM shop WHERE "Status" = 'paid'`],
  ['SELECT count(*) FROM "Sales Overview"', `SELECT count(*) FROM shop WHERE "Status" = 'paid'`],
  [
    'SELECT "Town", count(*) FROM shop."Sales Overview" GROUP BY 1 ORDER BY 1',
    `SELECT "Country", count(*) FROM shop WHERE "Status" = 'paid' GROUP BY 1 ORDER BY 1`,
  ],
  ['SELECT 1 FROM "sales overview"', `SELECT 1 FROM shop WHERE "Status" = 'paid'`],
  [
    'SELECT DISTINCT "Town" FROM "Sales Overview" ORDER BY 1',
    `SELECT DISTINCT "Country" FROM shop WHERE "Status" = 'paid' ORDER BY 1`,
  ],
  [
    `SELECT v."Country", sum(v."Revenue") FROM "Sales Overview" AS v WHERE v."Town" = 'IT' GROUP BY 1 HAVING sum(v."Revenue") > 5 ORDER BY 2`,
    `SELECT "Town", "Revenue" FROM shop WHERE "Country" = 'IT' AND "Status" = 'paid' ORDER BY 2`,
  ],
  [
    'SELECT max(r), count(*) FROM (SELECT "Country", "Revenue" AS r FROM "Sales Overview") AS x',
    `SELECT max(r), count(*) FROM (SELECT "Town", "Revenue" AS r FROM shop WHERE "Status" = 'paid') AS x`,
  ],
  [
    'WITH v AS (SELECT "Town", "Revenue" FROM "Sales Overview"), m AS (SELECT "Country", "Revenue" FROM shop) SELECT v."Town", v."Revenue", m."Revenue" FROM v JOIN m ON v."Town" = m."Country" ORDER BY 1',
    `WITH v AS (SELECT "Country", "Revenue" FROM shop WHERE "Status" = 'paid'), m AS (SELECT "Country", "Revenue" FROM shop) SELECT v."Country", v."Revenue", m."Revenue" FROM v JOIN m ON v."Country" = m."Country" ORDER BY 1`,
  ],
  ['SELECT count(*) FROM "Desk"', 'SELECT count(*) FROM shop__Tickets'],
  ['SELECT "Country" FROM "Desk" ORDER BY 1', 'SELECT "Ticket Country" FROM shop__Tickets ORDER BY 1'],
  ['SELECT count(*) FROM "Order Desk"', 'SELECT count(*) FROM shop'],
  [
    `SELECT "Country", "Revenue" FROM "By Status" UNION ALL SELECT "Country", "Revenue" FROM "Sales Overview" ORDER BY 1, 2`,
    `SELECT "Country", "Revenue" FROM shop WHERE "Status" = 'open' UNION ALL SELECT "Town", "Revenue" FROM shop WHERE "Status" = 'paid' ORDER BY 1, 2`,
  ],
]

t.test('a statement on a view is that on the model', async (t) => {
  const ask = await client(t, 'auditor')
  const row = await ask('SELECT "Town", "Revenue" FROM "Sales Overview" ORDER BY 1')
  t.same(row, [
    ['IT', '40'],
    ['NO', '80'],
    [null, '5'],
  ])
  for (const [view, meant] of PAIRS) {
    const expected = await ask(meant)
    t.ok(expected.length > 0)
    // The second time, the reading is one that was kept.
    for (const time of ['first', 'second']) t.same(await ask(view), expected, `${view}, ${time}`)
  }
  t.same(await ask('SELECT "Revenue" FROM "Sales Overview" WHERE "Town" = $1', ['NO']), [['80']])
  t.same(await ask('SELECT * FROM "Sales Overview" ORDER BY "Revenue" LIMIT 2'), [
    [null, null, '5', 5],
    ['IT', 'Rome', '10', 10],
  ])
  t.same(await ask('SELECT * FROM "Sales Overview" ORDER BY "Revenue" LIMIT 0'), [])
  t.equal((await ask('SELECT * FROM "Sales Overview"')).length, 4)
})

t.test('a field that is not in the view is no column of its table', async (t) => {
  const ask = await client(t, 'auditor')
  await t.rejects(ask('SELECT "Largest" FROM "Sales Overview"'), { message: /Largest/ })
  await t.rejects(ask('SELECT "Revenue" FROM "Sales Overview" WHERE "Status" = \'paid\''), { message: /Status/ })
  await t.rejects(ask('SELECT "Largest"'), { message: /Largest/ })
})

const TABLES = `SELECT c.relname, obj_description(c.oid, 'pg_class') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'shop' ORDER BY c.oid`
const COLUMNS = `SELECT column_name FROM information_schema.columns WHERE table_schema = 'shop' AND table_name = 'Sales Overview' ORDER BY ordinal_position`

t.test('the catalogue lists the views, the default one first', async (t) => {
  const ask = await client(t, 'auditor')
  t.same(await ask(TABLES), [
    ['Sales Overview', 'Paid orders, for the people in sales.'],
    ['shop', null],
    ['shop__Tickets', null],
    ['Desk', null],
    ['Order Desk', null],
    ['By Status', null],
  ])
  t.same((await ask(COLUMNS)).flat(), ['Town', 'Country', 'Revenue', 'Basket'])
  t.same(await ask(`SELECT col_description('shop."Sales Overview"'::regclass, 1)`), [['dimension · Where it went.']])
  t.same(
    (await ask('SHOW TABLES')).map(([name]) => name),
    ['Sales Overview', 'shop', 'Desk', 'Order Desk', 'By Status'],
  )
  t.same(
    (await ask('DESCRIBE "Sales Overview"')).map(([name, , kind]) => [name, kind]),
    [
      ['Town', 'dimension'],
      ['Country', 'dimension'],
      ['Revenue', 'measure'],
      ['Basket', 'metric'],
    ],
  )
})

t.test('a hidden field is in no table, and a view whose conditions read one is none', async (t) => {
  const ask = await client(t, 'north')
  t.same(
    (await ask(TABLES)).map(([name]) => name),
    ['shop', 'shop__Tickets', 'Desk', 'Order Desk'],
  )
  t.notMatch(JSON.stringify(await ask('SHOW TABLES')), /Sales Overview|By Status/)
  for (const text of ['SELECT "Revenue" FROM "Sales Overview"', 'DESCRIBE "Sales Overview"', 'SELECT count(*) FROM "By Status"'])
    await t.rejects(ask(text), { message: /not a model|does not exist/ }, text)
  t.same(await ask('SELECT "Revenue"'), [['155']], 'the default view is none, so the model is read')
})

t.test('Flight SQL lists and answers views', async (t) => {
  const { process } = await served
  const [, port] = await process.shows(/grpc[^:\s]*:\/\/[^:\s]+:(\d+)/)
  const tables = async (who: Who) => {
    const flight = await connectFlightSql({ host: '127.0.0.1', port: Number(port), credentials: { token: KEYS[who] } })
    t.teardown(() => flight.close())
    const listed = JSON.stringify(await rowsOf(await flight.tables()))
    return { flight, listed }
  }
  const { flight, listed } = await tables('auditor')
  t.match(listed, /Sales Overview/)
  const rows = await rowsOf(await flight.query('SELECT "Town", "Revenue" FROM "shop"."Sales Overview" WHERE "Town" = \'IT\''))
  t.match(
    JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    /IT.*40/,
  )
  t.notMatch((await tables('north')).listed, /Sales Overview|By Status/)
})
