/** What needs no server; the rest is in test/interop/clickhouse. */
import { silentLogger } from '@grainline/core'
import { BOOLEAN, DATE, decimal, FLOAT, INT, STRING, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import t from 'tap'
import { decode, fits, rowOf } from './decode.js'
import { engineMessage, isTransient, writtenFault } from './errors.js'
import { clickhouseVendor, plansOf } from './index.js'

const NOTHING = { CLICKHOUSE_URL: undefined }

t.test('a URL is split into its parts, with any password, and options may add the missing parts', async (t) => {
  const [plan] = plansOf({}, { CLICKHOUSE_URL: 'https://me:p%40ss%2F@h:9440/shop' })
  t.match(plan, { url: 'https://h:9440', user: 'me', password: 'p@ss/', database: 'shop' })
  t.match(plansOf({ url: 'http://x@y', port: 1, database: 'd' }, NOTHING)[0], { url: 'http://y:1', user: 'x', database: 'd' })
  t.throws(() => plansOf({ url: 'clickhouse://x' }, NOTHING), { code: 'INVALID_CONFIG', path: 'url' })
  t.throws(() => plansOf({ tls: { ca: '/nowhere.pem' } }, NOTHING), { code: 'INVALID_CONFIG', path: 'tls.ca' })
})

t.test('missing options have the defaults of the server, and TLS has a different default port', async (t) => {
  t.match(plansOf({}, NOTHING)[0], { url: 'http://localhost:8123', user: 'default', database: 'default', password: '' })
  t.match(plansOf({ host: 'h', tls: true }, NOTHING)[0], { url: 'https://h:8443' })
  t.same(
    plansOf({ connections: { lake: { host: 'l' } } }, NOTHING).map(({ name, url }) => [name, url]),
    [
      ['clickhouse', 'http://localhost:8123'],
      ['lake', 'http://l:8123'],
    ],
  )
})

t.test('the identity of a database is its address and user, in every form of the options, and never the password', async (t) => {
  const says = (options: Parameters<typeof plansOf>[0]) => clickhouseVendor(plansOf(options, NOTHING)[0]!).identity!
  const parts = says({ host: 'h', port: 8123, database: 'd', user: 'u', password: 'secret' })
  t.equal(says({ url: 'http://u:other-secret@h/d' }), parts)
  t.notMatch(parts, /secret/)
  t.not(says({ url: 'http://u@h/e' }), parts)
})

t.test('a type that cannot be read as the planned one is refused, with any wrapper', async (t) => {
  t.ok(fits(INT, 'Nullable(Int64)') && fits(STRING, 'LowCardinality(Nullable(String))') && fits(DATE, 'Nullable(Nothing)'))
  t.ok(
    fits(decimal(10, 2), 'Nullable(Decimal(38, 2))') && fits(TIMESTAMP, "DateTime64(6, 'UTC')") && fits(STRING, 'Array(Int64)'),
  )
  t.notOk(fits(INT, 'String') || fits(DATE, 'Int32') || fits(INT, 'Array(Int64)') || fits(FLOAT, 'Variant(Float64, Int64)'))
})

t.test('values are parsed from the format of the server', async (t) => {
  t.same([decode('true', BOOLEAN), decode('1', BOOLEAN), decode('false', BOOLEAN)], [true, true, false])
  t.same([decode('-inf', FLOAT), decode('nan', FLOAT)], ['-Infinity', 'NaN'])
  t.equal(decode('2024-02-29T12:00:00.123456789Z', TIMESTAMP_TZ), '2024-02-29T12:00:00.123456')
  t.same(rowOf('a\\tb\t\\N\t\\\\N\t'), ['a\tb', null, '\\N', ''])
})

t.test('an error that an older server writes after the rows is detected; a text about errors is not', async (t) => {
  const fault = writtenFault('Code: 395, e.displayText() = DB::Exception: Value passed to throwIf, e.what() = DB::Exception')
  t.match(fault, { code: '395', message: /throwIf/ })
  t.equal(writtenFault('Code: 7 was an exception'), undefined)
})

t.test('a lost connection is tried again, and its message contains no address', async (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:8123'), { code: 'ECONNREFUSED' })
  t.ok(isTransient(refused) && isTransient(Object.assign(new Error('Too many'), { code: '202' })))
  t.notOk(isTransient(Object.assign(new Error('Syntax error'), { code: '62' })))
  t.notMatch(engineMessage(refused), /10\.0/)
})

t.test('a missing database is one clear error', async (t) => {
  const [plan] = plansOf({ host: '127.0.0.1', port: 1 }, NOTHING)
  const connection = await clickhouseVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
  const answer = connection.query('SELECT 1', { schema: [{ name: 'n', type: INT, role: 'field' }] })[Symbol.asyncIterator]()
  await t.rejects(answer.next(), { code: 'DATABASE_ERROR', message: /lost or refused/ })
  await connection.close()
})
