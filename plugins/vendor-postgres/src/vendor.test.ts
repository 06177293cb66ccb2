/** What needs no server; the rest is in test/interop/postgres/vendor.test.ts. */
import { silentLogger } from '@grainline/core'
import { DATE, INT, STRING, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import t from 'tap'
import { decode, fits } from './decode.js'
import { clientOptions, loadPostgres } from './driver.js'
import { engineMessage, isTransient } from './errors.js'
import { identityOf } from './identity.js'
import { plansOf, postgresVendor } from './index.js'
import type { PostgresPlan } from './options.js'
import { preparation } from './preparation.js'

const driver = await loadPostgres()
const NOTHING = { POSTGRES_URL: undefined, POSTGRES_STATEMENT_TIMEOUT_MS: undefined, REDSHIFT_URL: undefined }

/** What the driver itself would connect to. */
const driven = (plan: PostgresPlan) => {
  const { host, port, database, user } = new driver.Client(clientOptions(plan, driver))
  return { host, port, database, user }
}

t.test('a URL from the environment is used instead of the configured database', async (t) => {
  const [plan] = plansOf({ host: 'a', database: 'b', tls: true }, { ...NOTHING, POSTGRES_URL: 'postgres://u:p@h/d' })
  t.same(driven(plan!), { host: 'h', port: 5432, database: 'd', user: 'u' })
  t.match(clientOptions(plan!, driver), { password: 'p', ssl: true, application_name: 'grainline' })
})

t.test('several databases have their own names, and Redshift its dialect', async (t) => {
  const plans = plansOf(
    { host: '/run', connections: { sales: { url: 'postgresql://x/y', poolSize: 2 } } },
    { ...NOTHING, REDSHIFT_URL: 'postgres://r/w' },
  )
  t.same(
    plans.map(({ name, dialect, poolSize }) => [name, dialect, poolSize]),
    [
      ['postgres', 'postgres', undefined],
      ['redshift', 'redshift', undefined],
      ['sales', 'postgres', 2],
    ],
  )
  t.throws(() => plansOf({ url: 'mysql://x' }, NOTHING), { code: 'INVALID_CONFIG', path: 'url' })
})

t.test(
  'the identity of a database is the address that the driver connects to, in every form of the options, and never the password',
  async (t) => {
    const says = (options: Parameters<typeof plansOf>[0]) => {
      const [plan] = plansOf(options, NOTHING)
      const identity = identityOf(plan!)!
      const { dialect, options: _, ...address } = JSON.parse(identity)
      t.same([dialect, address], ['postgres', JSON.parse(JSON.stringify(driven(plan!)))], JSON.stringify(options))
      t.notMatch(identity, /secret/)
      return identity
    }
    const parts = says({ host: 'h', port: 5433, database: 'd', user: 'u', password: 'secret' })
    t.equal(says({ url: 'postgres://u:secret@h:5433/d' }), parts)
    t.equal(says({ url: 'postgres://u:other-secret@h:5433/d?application_name=x' }), parts)
    t.equal(says({ url: 'postgres:///d?host=h&port=5433&user=u&password=secret' }), parts)
    const others = [
      { host: 'h2', port: 5433, database: 'd', user: 'u' },
      { url: 'postgres://u:secret@h:5432/d' },
      { url: 'postgres://u:secret@h:5433/d%20e' },
      { url: 'postgres://v%40w:secret@h:5433/d%23%2F%3F' },
      { url: 'postgres://u@%2Frun%2Fpostgres/d' },
      { url: 'postgres://u@[::1]:5433/d' },
      { url: 'postgres://u@h' },
      {},
    ].map(says)
    t.equal(new Set([parts, ...others]).size, others.length + 1)
    t.not(says({ url: 'postgres://u@h:5433/d?options=-c%20search_path%3Dother' }), parts, 'another search path, other tables')
  },
)

t.test('options may add parts that a URL omits; parts in both must be equal', async (t) => {
  const [plan] = plansOf(
    { url: 'postgres://h?sslmode=disable&application_name=x', port: 5433, database: 'a/b #c', user: 'u', password: 'p' },
    NOTHING,
  )
  t.same(driven(plan!), { host: 'h', port: 5433, database: 'a/b #c', user: 'u' })
  t.match(clientOptions(plan!, driver), { password: 'p', ssl: false, application_name: 'x' })
  for (const [part, other] of Object.entries({ host: 'o', port: 1, database: 'o', user: 'o', password: 'o' })) {
    const given = { url: 'postgres://u:p@h:5432/d', [part]: other }
    t.throws(() => plansOf(given, NOTHING), { code: 'INVALID_CONFIG', path: part }, part)
  }
  t.doesNotThrow(() => plansOf({ url: 'postgres://u:p@h:5432/d', host: 'h', port: 5432, database: 'd' }, NOTHING))
  t.throws(() => plansOf({ url: 'postgres:///d?host=/run', host: '/var/run' }, NOTHING), { code: 'INVALID_CONFIG', path: 'host' })
})

t.test('if an option is missing, the identity uses the environment', async (t) => {
  const environment = { PGHOST: 'h', PGPORT: '5433', PGDATABASE: 'd', PGUSER: 'u', PGPASSWORD: 'secret', PGOPTIONS: '-c a=b' }
  const identity = (options: Parameters<typeof plansOf>[0], given = {}) => identityOf(plansOf(options, NOTHING)[0]!, given)
  const all = identity({}, environment)
  t.same(JSON.parse(all!), { dialect: 'postgres', host: 'h', port: 5433, database: 'd', user: 'u', options: '-c a=b' })
  t.equal(identity({ url: 'postgres://' }, environment), all)
  t.not(identity({ database: 'e' }, environment), all)
  t.same(JSON.parse(identity({}, { USER: 'me' })!), {
    dialect: 'postgres',
    host: 'localhost',
    port: 5432,
    database: 'me',
    user: 'me',
  })
  t.equal(postgresVendor(plansOf({ host: 'h' }, NOTHING)[0]!).identity, identityOf(plansOf({ host: 'h' }, NOTHING)[0]!))
})

t.test('dates with more than four digits of the year are written as in ISO 8601', async (t) => {
  t.equal(decode('0044-03-15 BC', DATE), '-000043-03-15')
  t.equal(decode('12345-01-02', DATE), '+012345-01-02')
  t.equal(decode('2024-02-29 10:00:00', DATE), '2024-02-29')
  t.equal(decode('-infinity', DATE), '-infinity')
  t.equal(decode('0001-01-01 00:00:00 BC', TIMESTAMP), '0000-01-01 00:00:00')
  t.equal(decode('2024-02-29 10:00:00.5+00', TIMESTAMP), '2024-02-29 10:00:00.5')
  t.equal(decode('2024-02-29 10:00:00+00', TIMESTAMP_TZ), '2024-02-29 10:00:00+00')
})

t.test('a type that cannot be read as the planned one is refused; every type can be read as text', async (t) => {
  t.ok(fits(INT, 1700) && fits(STRING, 2950) && !fits(INT, 25) && !fits(DATE, 23))
})

t.test('a lost connection is tried again, and its message contains no address', async (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
  t.ok(isTransient(refused) && isTransient(Object.assign(new Error('x'), { code: '57P01' })))
  t.notOk(isTransient(Object.assign(new Error('x'), { code: '42601' })))
  t.notMatch(engineMessage(refused), /10\.0/)
})

t.test('a missing database is one clear error', async (t) => {
  const [plan] = plansOf({ host: '/nowhere/at/all' }, NOTHING)
  const connection = await postgresVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
  const answer = connection.query('SELECT 1', { schema: [{ name: 'n', type: INT, role: 'field' }] })[Symbol.asyncIterator]()
  await t.rejects(answer.next(), { code: 'DATABASE_ERROR', message: /lost or refused/ })
  await connection.close()
})

t.test(
  'a session of Redshift rounds, whatever the database is set to, and none of PostgreSQL has a setting of Redshift',
  async (t) => {
    t.match(
      preparation({ dialect: 'redshift', statementTimeoutMs: 5 }),
      /SET enable_numeric_rounding TO on; SET statement_timeout = 5$/,
    )
    t.notMatch(preparation({ dialect: 'postgres', statementTimeoutMs: undefined }), /rounding/)
  },
)
