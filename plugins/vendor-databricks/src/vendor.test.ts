/** What needs no server; the rest is in test/interop/databricks. */
import { silentLogger } from '@grainline/core'
import { BOOLEAN, DATE, decimal, FLOAT, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import t from 'tap'
import { decode, fits } from './decode.js'
import { engineMessage, isTransient } from './errors.js'
import { databricksVendor, plansOf } from './index.js'
import { introspect } from './introspect.js'
import { asTexts, isQuery } from './statement.js'

const NOTHING = { DATABRICKS_URL: undefined }
const WAREHOUSE = { host: 'dbc-1.cloud.databricks.com', path: '/sql/1.0/warehouses/7', token: 'dapi-secret' }

t.test('a URL is split into its parts, and options may add the missing parts', async (t) => {
  const url = 'databricks://token:dapi%2F1@dbc-1.cloud.databricks.com/main/shop%20a?path=/sql/1.0/warehouses/7'
  t.match(plansOf({}, { DATABRICKS_URL: url })[0], {
    host: 'dbc-1.cloud.databricks.com',
    port: 443,
    path: '/sql/1.0/warehouses/7',
    catalog: 'main',
    schema: 'shop a',
    access: { token: 'dapi/1' },
  })
  t.match(plansOf({ url: 'databricks://me:secret@h', path: '/p', catalog: 'c' }, NOTHING)[0], {
    path: '/p',
    catalog: 'c',
    access: { clientId: 'me', clientSecret: 'secret' },
  })
  t.throws(() => plansOf({ ...WAREHOUSE, url: 'databricks://token:other@h' }, NOTHING), { code: 'INVALID_CONFIG', path: 'host' })
  t.throws(() => plansOf({ url: 'https://h' }, NOTHING), { code: 'INVALID_CONFIG', path: 'url' })
})

t.test('a URL of the environment replaces the configured warehouse, but not the options of statements', async (t) => {
  const [plan] = plansOf({ ...WAREHOUSE, poolSize: 3 }, { DATABRICKS_URL: 'databricks://token:t@other?path=/q' })
  t.match(plan, { host: 'other', path: '/q', access: { token: 't' }, poolSize: 3 })
})

t.test('missing parts of an address are named, and so are two credentials', async (t) => {
  const { path: _, ...pathless } = WAREHOUSE
  t.throws(() => plansOf(pathless, NOTHING), { code: 'INVALID_CONFIG', path: 'path' })
  t.throws(() => plansOf({ host: 'h', path: '/p', clientId: 'me' }, NOTHING), { code: 'INVALID_CONFIG', path: 'clientSecret' })
  t.throws(() => plansOf({ ...WAREHOUSE, clientId: 'me', clientSecret: 's' }, NOTHING), { code: 'INVALID_CONFIG', path: 'token' })
  t.throws(() => plansOf({ ...WAREHOUSE, tls: { ca: '/nowhere.pem' } }, NOTHING), { code: 'INVALID_CONFIG', path: 'tls.ca' })
})

t.test('a warehouse without an address is refused at the first query', async (t) => {
  const [plan] = plansOf({}, NOTHING)
  await t.rejects(databricksVendor(plan!).connect({ logger: silentLogger, poolSize: 1 }), {
    code: 'INVALID_CONFIG',
    message: /DATABRICKS_URL/,
  })
})

t.test('the identity of a warehouse is its address and user, and never the secret', async (t) => {
  const says = (more: object) => databricksVendor(plansOf({ ...WAREHOUSE, ...more }, NOTHING)[0]!).identity!
  t.notMatch(says({}), /dapi-secret/)
  t.equal(says({ poolSize: 7 }), says({}))
  t.not(says({ token: 'dapi-other' }), says({}), 'another token may see other rows')
  t.not(says({ schema: 's' }), says({}))
})

t.test('every value of a query is requested as text, nested values as JSON', async (t) => {
  const columns = ['bigint', 'decimal(38,2)', 'variant', 'array<struct<a:int>>'].map((type, i) => ({ name: `Name ${i}`, type }))
  t.equal(
    asTexts('SELECT 1 -- all', columns),
    'SELECT CAST(c0 AS STRING) AS c0, CAST(c1 AS STRING) AS c1, TO_JSON(c2) AS c2, TO_JSON(c3) AS c3 FROM (\nSELECT 1 -- all\n) AS answer(c0, c1, c2, c3)',
  )
  t.ok(isQuery('\nWITH a AS (SELECT 1) SELECT * FROM a') && isQuery('select 1'))
  t.notOk(isQuery('EXPLAIN SELECT 1') || isQuery('SELECTED') || isQuery('SET x = 1'))
})

t.test('a type that cannot be read as the planned one is refused', async (t) => {
  t.ok(fits(INT, 'smallint') && fits(decimal(10, 2), 'decimal(38,2)') && fits(STRING, 'array<int>') && fits(DATE, 'void'))
  t.ok(fits(TIMESTAMP, 'timestamp_ntz') && fits(TIMESTAMP_TZ, 'timestamp') && fits(TIME, 'time(6)') && fits(JSON_TYPE, 'variant'))
  t.notOk(
    fits(INT, 'string') || fits(INT, 'decimal(20,0)') || fits(DATE, 'int') || fits(BOOLEAN, 'int') || fits(FLOAT, 'boolean'),
  )
})

t.test('values are parsed from the texts of the server', async (t) => {
  t.same([decode('true', BOOLEAN), decode('false', BOOLEAN)], [true, false])
  t.same([decode('2024-02-29 12:00:00.5', DATE), decode('2024-02-29', TIMESTAMP)], ['2024-02-29', '2024-02-29T00:00:00'])
  t.equal(decode('2024-02-29 12:00:00.123456', TIMESTAMP_TZ), '2024-02-29T12:00:00.123456')
})

t.test('a busy warehouse, a lost connection and an ended session are tried again', async (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 'ECONNREFUSED' })
  t.ok(isTransient(Object.assign(new Error('bad HTTP status'), { statusCode: 503 })) && isTransient(refused))
  t.ok(isTransient(new Error('Hive driver: Error when connecting to resource. Max retry count exceeded.')))
  t.ok(isTransient(new Error('Invalid SessionHandle: SessionHandle [9a]')))
  t.notOk(
    isTransient(Object.assign(new Error('bad HTTP status'), { statusCode: 403 })) ||
      isTransient(new Error('[PARSE_SYNTAX_ERROR]')),
  )
  t.notMatch(engineMessage(refused), /10\.0/)
  t.equal(
    engineMessage(
      new Error(
        '[DIVIDE_BY_ZERO] Division by zero.\n at org.apache.spark.sql.Some$.thing(Some.scala:7)\n at java.lang.X(X.java)',
      ),
    ),
    '[DIVIDE_BY_ZERO] Division by zero.',
  )
})

t.test('tables, declared keys, types and comments are listed', async (t) => {
  const column = (table: string, name: string, type: string, nullable = 'YES', comment: string | null = null) =>
    ['main', 'shop', table, table === 'orders' ? 'What was bought' : null, name, type, nullable, comment] as const
  const columns = [
    column('customers', 'id', 'bigint', 'NO'),
    column('orders', 'id', 'bigint', 'NO'),
    column('orders', 'customer', 'bigint'),
    column('orders', 'total', 'decimal(10,2)', 'YES', 'With tax'),
  ]
  const keys = [
    ['shop', 'customers', 'customers_pk', 'id', null, null, null],
    ['shop', 'orders', 'orders_fk', 'customer', 'shop', 'customers', 'id'],
    ['shop', 'orders', 'orders_pk', 'id', null, null, null],
  ]
  const tables = await introspect(async (sql) => (sql.includes('full_data_type') ? columns : keys))
  t.same(tables[1], {
    database: 'main',
    schema: 'shop',
    name: 'orders',
    comment: 'What was bought',
    columns: [
      { name: 'id', sqlType: 'bigint', nullable: false },
      { name: 'customer', sqlType: 'bigint', nullable: true },
      { name: 'total', sqlType: 'decimal(10,2)', nullable: true, comment: 'With tax' },
    ],
    primaryKey: ['id'],
    foreignKeys: [{ columns: ['customer'], target: { schema: 'shop', name: 'customers' }, targetColumns: ['id'] }],
  })
})
