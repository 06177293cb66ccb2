/** What needs no server; the rest is in test/interop/mysql/vendor.test.ts. */
import { silentLogger } from '@grainline/core'
import { DATE, INT, STRING } from '@grainline/core/vendor'
import t from 'tap'
import { decode, fits } from './decode.js'
import { loadMysql } from './driver.js'
import { engineMessage, isTransient } from './errors.js'
import { mysqlVendor, plansOf } from './index.js'

const NOTHING = { MYSQL_URL: undefined, MARIADB_URL: undefined }

t.test('a URL is split into its parts, with any password', async (t) => {
  const [mysql, mariadb] = plansOf({}, { MYSQL_URL: 'mysql://me:p%40ss%2F@h:3307/shop', MARIADB_URL: 'mariadb://x@y/z?ssl=true' })
  t.same(mysql?.client, { host: 'h', port: 3307, user: 'me', password: 'p@ss/', database: 'shop' })
  t.same(mariadb?.client, { host: 'y', user: 'x', database: 'z', ssl: {} })
  t.throws(() => plansOf({ url: 'postgres://x' }, NOTHING), { code: 'INVALID_CONFIG', path: 'url' })
})

t.test('MySQL, MariaDB and a database with its own name', async (t) => {
  const plans = plansOf({ host: 'a', connections: { old: { host: 'b', dialect: 'mariadb' } } }, NOTHING)
  t.same(
    plans.map(({ name, dialect }) => [name, dialect]),
    [
      ['mysql', 'mysql'],
      ['mariadb', 'mariadb'],
      ['old', 'mariadb'],
    ],
  )
})

t.test(
  'the identity of a database is the address that the driver connects to, in every form of the options, and never the password',
  async (t) => {
    const { createConnection } = await loadMysql()
    const says = (options: Parameters<typeof plansOf>[0]) => {
      const [plan] = plansOf(options, NOTHING)
      const { identity } = mysqlVendor(plan!)
      const connection = createConnection(plan!.client)
      connection.on('error', () => {})
      connection.destroy()
      const { host, port, database, user } = connection.config
      const { dialect, socketPath, ...address } = JSON.parse(identity!)
      t.equal(dialect, 'mysql')
      t.equal(socketPath, plan!.client.socketPath)
      if (socketPath === undefined) t.same(address, JSON.parse(JSON.stringify({ host, port, database, user })))
      t.notMatch(identity, /secret/)
      return identity
    }
    const parts = says({ host: 'localhost', port: 3307, database: 'd', user: 'u', password: 'secret' })
    t.equal(says({ url: 'mysql://u:other-secret@localhost:3307/d' }), parts)
    t.equal(says({ url: 'mysql://u:secret@localhost', port: 3307, database: 'd' }), parts, 'parts beside a URL')
    const same = { host: 'localhost', port: 3306, database: 'd', user: 'u', password: 'secret' }
    const others = [{ port: 3308 }, { database: 'e' }, { user: 'v' }, { socketPath: '/run/mysqld.sock' }, {}].map((differs) =>
      says({ ...same, ...differs }),
    )
    t.equal(new Set([parts, ...others, says({})]).size, others.length + 2)
    t.not(mysqlVendor(plansOf({}, NOTHING)[1]!).identity, says({}), 'MariaDB is not MySQL')
  },
)

t.test('a type that cannot be read as the planned one is refused; every type can be read as text', async (t) => {
  t.ok(fits(INT, 246) && fits(STRING, 255) && !fits(INT, 253) && !fits(DATE, 3))
  t.equal(decode('2024-02-29 10:00:00.000000', DATE), '2024-02-29')
})

t.test('a lost connection is tried again, and its message contains no address', async (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:3306'), { code: 'ECONNREFUSED' })
  t.ok(isTransient(refused) && isTransient(Object.assign(new Error('x'), { errno: 1213 })))
  t.notOk(isTransient(Object.assign(new Error('x'), { errno: 1064 })))
  t.notMatch(engineMessage(refused), /10\.0/)
})

t.test('a missing database is one clear error', async (t) => {
  const [plan] = plansOf({ socketPath: '/nowhere/at/all' }, NOTHING)
  const connection = await mysqlVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
  const answer = connection.query('SELECT 1', { schema: [{ name: 'n', type: INT, role: 'field' }] })[Symbol.asyncIterator]()
  await t.rejects(answer.next(), { code: 'DATABASE_ERROR', message: /lost or refused/ })
  await connection.close()
})
