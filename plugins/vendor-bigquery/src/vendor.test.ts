/** What needs no server; the rest is in test/interop/bigquery/vendor.test.ts. */
import { silentLogger } from '@grainline/core'
import { FLOAT, INT, JSON_TYPE, STRING, type TextRow, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import t from 'tap'
import { decode, fits } from './decode.js'
import { engineMessage, isTransient } from './errors.js'
import { type BigqueryOptions, bigqueryVendor, plansOf } from './index.js'
import { introspect } from './introspect.js'

const planOf = (options: BigqueryOptions) => plansOf(options, { BIGQUERY_URL: undefined })[0]!

t.test('a URL is split into its parts, which replace the configured ones', async (t) => {
  const given = { projectId: 'other', dataset: 'other', maximumBytesBilled: 5 }
  const [plan] = plansOf(given, { BIGQUERY_URL: 'bigquery://my-project/shop?location=EU' })
  t.match(plan, { address: { projectId: 'my-project', dataset: 'shop', location: 'EU' }, maximumBytesBilled: 5 })
  t.same(planOf({ url: 'bigquery://p', dataset: 'd' }).address, { projectId: 'p', dataset: 'd' })
  t.throws(() => planOf({ url: 'bigquery://p/d', dataset: 'e' }), { code: 'INVALID_CONFIG', path: 'dataset' })
  t.throws(() => planOf({ url: 'https://p' }), { code: 'INVALID_CONFIG', path: 'url' })
})

t.test('there is one credential: a key file or its contents', async (t) => {
  const credentials = { client_email: 'me@x', private_key: 'secret' }
  t.same(planOf({ keyFile: '/key.json' }).client, { keyFilename: '/key.json' })
  t.same(planOf({ credentials }).client, { credentials })
  t.throws(() => planOf({ credentials, keyFile: '/key.json' }), { code: 'INVALID_CONFIG', path: 'credentials' })
  const identity = bigqueryVendor(planOf({ projectId: 'p', credentials })).identity!
  t.match(identity, /me@x/)
  t.notMatch(identity, /secret/)
})

t.test('values are parsed from the JSON of the API', async (t) => {
  t.same([decode('NaN', FLOAT), decode('-inf', FLOAT), decode('Infinity', FLOAT)], ['NaN', '-Infinity', 'Infinity'])
  t.equal(decode('-1', TIMESTAMP_TZ), -1n)
})

t.test('a type that cannot be read as the planned one is refused; a list is always refused', async (t) => {
  t.ok(fits(INT, 'INTEGER') && fits(STRING, 'GEOGRAPHY') && fits(TIMESTAMP, 'DATETIME'))
  t.notOk(fits(INT, 'FLOAT') || fits(TIMESTAMP, 'TIMESTAMP') || fits(JSON_TYPE, 'ARRAY<JSON>') || fits(STRING, 'RECORD'))
})

t.test('a temporary error is tried again, and a lost connection is reported without the address', async (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 'ECONNREFUSED' })
  t.ok(isTransient(refused) && isTransient(Object.assign(new Error('x'), { code: 503 })))
  t.ok(isTransient(Object.assign(new Error('x'), { code: 400, errors: [{ reason: 'rateLimitExceeded' }] })))
  t.notOk(isTransient(Object.assign(new Error('x'), { code: 400, errors: [{ reason: 'invalidQuery' }] })))
  t.notMatch(engineMessage(refused), /10\.0/)
})

t.test('a missing driver is refused with the install command', async (t) => {
  const refused = { code: 'VENDOR_UNAVAILABLE', details: { hint: 'npm install @google-cloud/bigquery@8' } }
  await t.rejects(bigqueryVendor(planOf({ projectId: 'p' })).connect({ logger: silentLogger, poolSize: 1 }), refused)
})

t.test('tables, keys, types and comments are read from the views of the dataset', async (t) => {
  const asked: string[] = []
  const columns: TextRow[] = [
    ['shop', 'orders', '"What was \\"bought\\""', 'id', 'INT64', 'NO', null],
    ['shop', 'orders', null, 'customer', 'INT64', 'YES', 'Who bought'],
    ['shop', 'orders', null, 'total', 'NUMERIC', 'YES', null],
  ]
  const keys: TextRow[] = [
    ['orders', 'orders.fk$1', 'FOREIGN KEY', 'customer', 'shop', 'customers', 'id'],
    ['orders', 'orders.pk$', 'PRIMARY KEY', 'id', null, null, null],
  ]
  const ask = async (sql: string): Promise<readonly TextRow[]> => {
    asked.push(sql)
    return asked.length === 1 ? columns : keys
  }
  t.same(await introspect(ask, planOf({ projectId: 'my-project', dataset: 'sh`op' })), [
    {
      schema: 'shop',
      name: 'orders',
      comment: 'What was "bought"',
      columns: [
        { name: 'id', sqlType: 'INT64', nullable: false },
        { name: 'customer', sqlType: 'INT64', nullable: true, comment: 'Who bought' },
        { name: 'total', sqlType: 'NUMERIC(38,9)', nullable: true },
      ],
      primaryKey: ['id'],
      foreignKeys: [{ columns: ['customer'], target: { schema: 'shop', name: 'customers' }, targetColumns: ['id'] }],
    },
  ])
  t.match(asked[0], /`my-project`\.`sh\\`op`\.INFORMATION_SCHEMA\.COLUMNS/)
  await t.rejects(introspect(ask, planOf({ projectId: 'p' })), { code: 'INVALID_CONFIG', path: 'dataset' })
})
