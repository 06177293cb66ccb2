/** A typical database (UUID keys, enumerations, citext, small integers) is modelled, and queried over REST and the Postgres wire. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { definePlugin, type HostPlugin } from '@grainline/core'
import { postgres } from '@grainline/dialect-postgres'
import { plansOf, postgresVendor } from '@grainline/vendor-postgres'
import t from 'tap'
import { parseModelSync } from '../../../core/src/model/load-model.js'
import { startPgwire } from '../../pgwire/server.js'
import { executing, startRest } from '../../rest/server.js'
import { compileFor } from '../../support/compile.js'
import { orSkip } from '../or-skip.js'
import type { Client } from './client.js'
import { openClient } from './client.js'
import { openPostgres } from './open.js'

const NOTHING = { POSTGRES_URL: undefined, POSTGRES_STATEMENT_TIMEOUT_MS: undefined, REDSHIFT_URL: undefined }

const SCHEMA = `
  CREATE EXTENSION citext;
  CREATE TYPE tier AS ENUM ('small', 'medium', 'Large');
  CREATE DOMAIN amount AS integer CHECK (VALUE >= 0);
  CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  CREATE TABLE customers (id uuid PRIMARY KEY, email citext, tier tier, city text COLLATE nocase, country char(3));
  CREATE TABLE orders (id uuid PRIMARY KEY, customer uuid REFERENCES customers, quantity smallint, price integer, cents amount,
    weight real, discount numeric, placed timestamptz, paid timestamp);
  CREATE TABLE items (id uuid PRIMARY KEY, "order" uuid REFERENCES orders, product citext);
  INSERT INTO customers SELECT CAST(lpad(to_hex(i), 32, '0') AS uuid), (ARRAY['a@x.org', 'A@x.org', 'É@x.org', NULL])[i % 4 + 1],
    CAST((ARRAY['small', 'medium', 'Large'])[i % 3 + 1] AS tier), (ARRAY['Bern', 'BERN', 'bern', 'Zug'])[i % 4 + 1], (ARRAY['CH', 'DEU'])[i % 2 + 1]
    FROM generate_series(1, 12) i;
  INSERT INTO orders SELECT CAST(lpad(to_hex(i * 256 + 10), 32, 'a') AS uuid), CAST(lpad(to_hex(i % 13 + 1), 32, '0') AS uuid), i * 300, 30000 + i, i * 7,
    i / 10.0, i / 8.0, timestamptz '2024-03-01 23:30:00+00' + i * interval '7 hours', timestamp '2024-03-01 12:00:00' + i * interval '5 hours'
    FROM generate_series(1, 60) i WHERE i % 13 < 12;
  INSERT INTO items SELECT CAST(lpad(to_hex(i), 32, 'b') AS uuid), (SELECT id FROM orders ORDER BY id OFFSET i % 40 LIMIT 1),
    (ARRAY['Pen', 'pen', 'Ink'])[i % 3 + 1] FROM generate_series(1, 90) i;
  CREATE INDEX ON orders (placed); CREATE INDEX ON orders (price); CREATE INDEX ON customers (tier); ANALYZE`

const MODEL = `
version: 1
name: shop
settings: { defaultDialect: postgres }
dataObjects:
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: string, primaryKey: true }
      Email: { code: email, abstractType: string }
      Tier: { code: tier, abstractType: string }
      City: { code: city, abstractType: string }
      Country: { code: country, abstractType: string }
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: string, primaryKey: true }
      Customer: { code: customer, abstractType: string }
      Quantity: { code: quantity, abstractType: int }
      Price: { code: price, abstractType: int }
      Cents: { code: cents, abstractType: float }
      Weight: { code: weight, abstractType: float }
      Discount: { code: discount, abstractType: float }
      Placed Day: { code: placed, abstractType: date }
      Placed: { code: placed, abstractType: timestamp }
      Paid: { code: paid, abstractType: timestamp }
    joins: [{ joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }]
  Items:
    code: items
    columns:
      Id: { code: id, abstractType: string, primaryKey: true }
      Order: { code: order, abstractType: string }
      Product: { code: product, abstractType: string }
    joins: [{ joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id] }]
dimensions:
  Customer: { dataObject: Customers, column: Id }
  Email: { dataObject: Customers, column: Email }
  Tier: { dataObject: Customers, column: Tier }
  City: { dataObject: Customers, column: City }
  Country: { dataObject: Customers, column: Country }
  Order: { dataObject: Orders, column: Id }
  Quantity: { dataObject: Orders, column: Quantity }
  Price: { dataObject: Orders, column: Price }
  Cents Band: { dataObject: Orders, column: Cents, bins: { size: 100 } }
  Day: { dataObject: Orders, column: Placed Day }
  Placed: { dataObject: Orders, column: Placed }
  Product: { dataObject: Items, column: Product }
measures:
  Value: { aggregation: sum, expression: '{[Orders].[Quantity]} * {[Orders].[Price]}' }
  Per Piece: { aggregation: sum, expression: '{[Orders].[Cents]} / {[Orders].[Quantity]}' }
  Weight: { aggregation: sum, columns: [{ dataObject: Orders, column: Weight }] }
  Discount: { aggregation: sum, columns: [{ dataObject: Orders, column: Discount }] }
  First Tier: { aggregation: min, columns: [{ dataObject: Customers, column: Tier }] }
  Last Order: { aggregation: max, columns: [{ dataObject: Orders, column: Id }] }
  Emails: { aggregation: count_distinct, columns: [{ dataObject: Customers, column: Email }] }
  First Placed: { aggregation: first, columns: [{ dataObject: Orders, column: Id }], orderBy: [{ column: { dataObject: Orders, column: Placed } }] }
metrics:
  Widest: { expression: '{[Value]} / {[Orders Count]}' }
`

/** A query, and hand-written SQL with the same columns, all as text. */
const QUESTIONS: readonly { readonly name: string; readonly query: object; readonly truth: string }[] = [
  {
    name: 'groups by a key of UUIDs',
    query: { select: { dimensions: ['Customer'], measures: ['Orders Count', 'Value'] } },
    truth: `SELECT c.id::text, count(*), sum(o.quantity::bigint * o.price) FROM orders o LEFT JOIN customers c ON c.id = o.customer GROUP BY 1`,
  },
  {
    name: 'subtotals by it',
    query: { select: { dimensions: ['Customer'], measures: ['Orders Count'] }, grouping: 'rollup' },
    truth: `SELECT c.id::text, count(*), (grouping(c.id) = 1)::text FROM orders o LEFT JOIN customers c ON c.id = o.customer GROUP BY ROLLUP (c.id)`,
  },
  {
    name: 'raw rows by it',
    query: { select: { fields: ['Orders.Id', 'Orders.Customer', 'Orders.Quantity'] }, limit: 5 },
    truth: `SELECT id::text, customer::text, quantity FROM orders ORDER BY id::text COLLATE "C" LIMIT 5`,
  },
  {
    name: 'a bridge over it',
    query: { select: { dimensions: ['Product'], measures: ['Value', 'Orders Count'] } },
    truth: `SELECT p, sum(v), count(*) FROM (SELECT DISTINCT o.id, i.product::text AS p, o.quantity::bigint * o.price AS v
      FROM orders o LEFT JOIN items i ON i."order" = o.id) d GROUP BY 1`,
  },
  {
    name: 'the first of them, and the greatest',
    query: { select: { measures: ['First Placed', 'Last Order'] } },
    truth: `SELECT (SELECT id::text FROM orders ORDER BY placed, id LIMIT 1), max(id::text COLLATE "C") FROM orders`,
  },
  {
    name: 'a part of it',
    query: { select: { measures: ['Orders Count'] }, where: [{ field: 'Order', op: 'contains', value: 'A10A' }] },
    truth: `SELECT count(*) FROM orders WHERE id::text ILIKE '%a10a%'`,
  },
  {
    name: 'blank ones',
    query: { select: { measures: ['Orders Count'] }, where: [{ field: 'Customer', op: 'blank' }] },
    truth: `SELECT count(*) FROM orders o LEFT JOIN customers c ON c.id = o.customer WHERE c.id IS NULL`,
  },
  {
    name: 'an enumeration in the order of its texts, and a label that it has not',
    query: {
      select: { dimensions: ['Tier'], measures: ['Customers Count'] },
      where: [{ field: 'Tier', op: 'in', value: ['small', 'Large', 'none'] }],
      order_by: [{ field: 'Tier' }],
    },
    truth: `SELECT tier::text, count(*) FROM customers WHERE tier::text IN ('small', 'Large') GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'its least text',
    query: { select: { measures: ['First Tier'] }, where: [{ field: 'Tier', op: 'starts_with', value: 'M' }] },
    truth: `SELECT min(tier::text COLLATE "C") FROM customers WHERE tier = 'medium'`,
  },
  {
    name: 'citext by code point',
    query: { select: { dimensions: ['Email'], measures: ['Customers Count', 'Emails'] } },
    truth: `SELECT email::text, count(*), count(DISTINCT email::text) FROM customers GROUP BY 1`,
  },
  {
    name: 'citext that equals, and that contains',
    query: {
      select: { measures: ['Customers Count'] },
      where: [
        { field: 'Email', op: '=', value: 'A@x.org' },
        { field: 'Email', op: 'contains', value: 'a@X' },
      ],
    },
    truth: `SELECT count(*) FROM customers WHERE email::text = 'A@x.org'`,
  },
  {
    name: 'a collation without cases',
    query: {
      select: { dimensions: ['City'], measures: ['Customers Count'] },
      where: [{ field: 'City', op: 'neq', value: 'Zug' }],
    },
    truth: `SELECT city COLLATE "C", count(*) FROM customers WHERE city COLLATE "C" <> 'Zug' GROUP BY 1`,
  },
  {
    name: 'padded texts',
    query: {
      select: { dimensions: ['Country'], measures: ['Customers Count'] },
      where: [{ field: 'Country', op: '=', value: 'CH' }],
    },
    truth: `SELECT country::text, count(*) FROM customers WHERE country = 'CH' GROUP BY 1`,
  },
  {
    name: 'small integers that are multiplied, integers that are divided, bins of them, floats that are added up',
    query: { select: { dimensions: ['Cents Band'], measures: ['Value', 'Per Piece', 'Weight', 'Discount', 'Widest'] } },
    truth: `SELECT floor(cents / 100.0) * 100, sum(quantity::bigint * price), sum(cents::float8 / quantity), sum(weight::float8), sum(discount::float8),
      sum(quantity::bigint * price)::float8 / count(*) FROM orders GROUP BY 1`,
  },
  {
    name: 'days of instants, in the zone of the question',
    query: {
      select: { dimensions: ['Day'], measures: ['Orders Count'] },
      where: [{ field: 'Day', op: '>=', value: '2024-03-05' }],
      timezone: 'Asia/Tokyo',
    },
    truth: `SELECT (placed AT TIME ZONE 'Asia/Tokyo')::date, count(*) FROM orders WHERE (placed AT TIME ZONE 'Asia/Tokyo')::date >= '2024-03-05' GROUP BY 1`,
  },
  {
    name: 'instants as what clocks show',
    query: {
      select: { dimensions: ['Placed'], measures: ['Orders Count'] },
      where: [{ field: 'Placed', op: '<', value: '2024-03-04T06:30:00' }],
    },
    truth: `SELECT placed AT TIME ZONE 'UTC', count(*) FROM orders WHERE placed < '2024-03-04 06:30:00+00' GROUP BY 1`,
  },
]

/** Applied to answers and expected rows: numbers to nine digits, times without their T. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  const text = String(value)
    .replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? String(Number(Number(text).toPrecision(9))) : text
}
const rowsOf = (rows: readonly (readonly unknown[])[]): string[] => rows.map((row) => row.map(cell).join('|')).sort()

const vendorAt = (socket: string): HostPlugin =>
  definePlugin({
    name: 'the-database',
    host: '*',
    setup(host) {
      const [plan] = plansOf({ host: socket, user: 'postgres', database: 'postgres' }, NOTHING)
      host.vendors.register(postgresVendor(plan!))
    },
  }) as HostPlugin

const truthOf = async (client: Client, sql: string) => rowsOf((await client.query({ text: sql, rowMode: 'array' })).rows)

t.setTimeout(120_000)
await orSkip(
  t,
  openPostgres,
  ({ close }) => close(),
  ({ client, socket }) => {
    t.test('over REST, with the values of hand-written SQL', async (t) => {
      await client.query(SCHEMA)
      const plugins = [...(executing.plugins ?? []), vendorAt(socket)]
      const server = await startRest({ settings: { QUERY_EXECUTE: true }, plugins })
      t.teardown(() => server.close())
      const session = (await server.post('/v1/sessions')).body.session_id
      t.equal((await server.post(`/v1/sessions/${session}/models`, { model_yaml: MODEL })).status, 201)
      for (const { name, query, truth } of QUESTIONS) {
        const answer = await server.post('/v1/query/execute', { query: { ...query, limit: 1000, ...query } })
        t.equal(answer.status, 200, `${name}: ${answer.text.slice(0, 300)}`)
        t.same(rowsOf(answer.body.rows ?? []), await truthOf(client, truth), `${name}\n${answer.body.sql}`)
      }
      const plan = await server.post('/v1/query/sql', { query: { select: { dimensions: ['Tier', 'Email'] } } })
      t.match(plan.body.explain.stored_columns, [
        { column: 'Customers.Email', declared: 'string', stored: 'citext' },
        { column: 'Customers.Tier', stored: "enum tier ('small', 'medium', 'Large')" },
      ])
    })

    t.test('over the Postgres wire, with the same values', async (t) => {
      const file = path.join(mkdtempSync(path.join(tmpdir(), 'types-')), 'shop.yaml')
      writeFileSync(file, MODEL)
      t.teardown(() => rmSync(path.dirname(file), { recursive: true }))
      const settings = { DB_VENDOR: 'postgres' }
      const server = await startPgwire({ settings, plugins: [vendorAt(socket)], preload: [{ session: 'shop', model: file }] })
      t.teardown(() => server.close())
      const asked = await openClient('127.0.0.1', { port: server.port, database: 'shop' })
      if (typeof asked === 'string') return void t.fail(asked)
      t.teardown(() => asked.end())
      for (const { name, query, truth } of QUESTIONS) {
        const { select, where, order_by, ...rest } = query as {
          select: { dimensions?: string[]; measures?: string[] }
          where?: object[]
          order_by?: object[]
        }
        if (!select.dimensions || where || order_by || Object.keys(rest).length > 0) continue
        const columns = [...select.dimensions, ...(select.measures ?? [])].map((c) => `"${c}"`).join(', ')
        t.same(await truthOf(asked, `SELECT ${columns} FROM shop`), await truthOf(client, truth), name)
      }
    })

    t.test('upper and lower case match if the locale of the database is C', async (t) => {
      await client.query("CREATE DATABASE plain TEMPLATE template0 LOCALE 'C' LOCALE_PROVIDER libc")
      const plain = await openClient(socket, { database: 'plain' })
      if (typeof plain === 'string') return void t.fail(plain)
      t.teardown(() => plain.end())
      await plain.query(
        "CREATE TABLE customers (id uuid, email text); INSERT INTO customers (email) VALUES ('été'), ('ÉTÉ'), ('ete')",
      )
      const { model } = parseModelSync({ text: MODEL })
      const where = [{ field: 'Email', op: 'contains', value: 'É' }]
      const { sql } = compileFor({ select: { measures: ['Customers Count'] }, where }, model!, postgres)
      t.same(await truthOf(plain, sql), ['2'])
      const ordered = compileFor({ select: { fields: ['Customers.Email'], distinct: true } }, model!, postgres)
      t.equal((await truthOf(plain, ordered.sql)).length, 3)
    })

    t.test('indexes can be used if the column is not converted', async (t) => {
      await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off')
      const server = await startRest({
        settings: { QUERY_EXECUTE: true },
        plugins: [...(executing.plugins ?? []), vendorAt(socket)],
      })
      t.teardown(() => server.close())
      const session = (await server.post('/v1/sessions')).body.session_id
      await server.post(`/v1/sessions/${session}/models`, { model_yaml: MODEL })
      const planOf = async (field: string, op: string, value: unknown): Promise<string> => {
        const query = {
          select: { measures: [field === 'Tier' || field === 'Customer' ? 'Customers Count' : 'Orders Count'] },
          where: [{ field, op, value }],
        }
        const { sql } = (await server.post('/v1/query/sql', { query })).body
        const { rows } = await client.query({ text: `EXPLAIN ${sql}`, rowMode: 'array' })
        return rows.map(([line]) => line).join('\n')
      }
      for (const [field, op, value] of [
        ['Order', '=', 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaa010a'],
        ['Customer', 'in', ['00000000-0000-0000-0000-000000000001']],
        ['Tier', '=', 'small'],
        ['Price', '>', 30010],
        ['Placed', '<', '2024-03-04T06:30:00'],
        ['Day', '=', '2024-03-05'],
      ] as const)
        t.match(await planOf(field, op, value), /Index Cond/, field)
    })
  },
)
