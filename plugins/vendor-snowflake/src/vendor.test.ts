/** What needs no server; the rest is in test/interop/snowflake/vendor.test.ts. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { silentLogger } from '@grainline/core'
import { DATE, FLOAT, INT, STRING, TIME, TIMESTAMP } from '@grainline/core/vendor'
import t from 'tap'
import { decode, fits, textOf } from './decode.js'
import type { Driver } from './driver.js'
import { engineMessage, isTransient } from './errors.js'
import { plansOf, type SnowflakeOptions, snowflakeVendor } from './index.js'

const NOTHING = { SNOWFLAKE_URL: undefined }
const planOf = (options: SnowflakeOptions) => plansOf(options, NOTHING)[0]!

t.test('a URL is split into its parts, which replace the configured ones', async (t) => {
  const url = 'snowflake://me:p%40ss@org-account/SHOP/PUBLIC?warehouse=WH&role=READER'
  const [plan] = plansOf({ account: 'other', statementTimeoutMs: 5 }, { SNOWFLAKE_URL: url })
  t.match(plan, {
    address: { account: 'org-account', user: 'me', database: 'SHOP', schema: 'PUBLIC', warehouse: 'WH', role: 'READER' },
    credentials: { password: 'p@ss' },
    statementTimeoutMs: 5,
  })
  t.same(planOf({ url: 'snowflake://me@a', database: 'D' }).address, { account: 'a', user: 'me', database: 'D' })
  t.throws(() => planOf({ url, role: 'WRITER' }), { code: 'INVALID_CONFIG', path: 'role' })
  t.throws(() => planOf({ url: 'https://a' }), { code: 'INVALID_CONFIG', path: 'url' })
})

t.test('there is one credential: a password, a key pair or a token', async (t) => {
  const file = path.join(t.testdir({}), 'key.p8')
  writeFileSync(file, 'PEM')
  t.same(planOf({ account: 'a', password: 'p' }).credentials, { password: 'p' })
  t.same(planOf({ account: 'a', privateKeyFile: file, privateKeyPassword: 'x' }).credentials, {
    authenticator: 'SNOWFLAKE_JWT',
    privateKey: 'PEM',
    privateKeyPass: 'x',
  })
  t.same(planOf({ account: 'a', token: 't' }).credentials, { authenticator: 'OAUTH', token: 't' })
  t.match(planOf({ account: 'a', token: 't', authenticator: 'PROGRAMMATIC_ACCESS_TOKEN' }).credentials, {
    authenticator: 'PROGRAMMATIC_ACCESS_TOKEN',
  })
  t.throws(() => planOf({ account: 'a', password: 'p', token: 't' }), { code: 'INVALID_CONFIG', path: 'token' })
  t.throws(() => planOf({ account: 'a', privateKeyFile: '/nowhere' }), { code: 'INVALID_CONFIG', path: 'privateKeyFile' })
})

t.test('the identity is the address and the user, in every form of the options, and never a secret', async (t) => {
  const identity = (options: SnowflakeOptions) => snowflakeVendor(planOf(options)).identity!
  const parts = identity({ account: 'a', user: 'u', password: 'secret', database: 'D', role: 'R' })
  t.equal(identity({ url: 'snowflake://u:other-secret@a/D?role=R' }), parts)
  t.notMatch(parts, /secret/)
  t.not(identity({ account: 'a', user: 'u', database: 'D', role: 'S' }), parts, 'another role sees other rows')
})

t.test('values are read as the driver returns them', async (t) => {
  const moment = (seconds: number, nanos: number) => textOf({ getEpochSeconds: () => seconds, getNanoSeconds: () => nanos })!
  t.equal(decode(moment(-1, 999_999_999), TIMESTAMP), -1n)
  t.equal(decode(moment(-86_400, 0), DATE), -1)
  t.equal(decode(moment(-1, 0), DATE), -1)
  t.equal(decode('23:59:58.000001999', TIME), '23:59:58.000001')
  t.same([decode('NaN', FLOAT), decode('-inf', FLOAT)], ['NaN', '-Infinity'])
  t.same([textOf(null), textOf('NULL')], [null, 'NULL'])
})

t.test('a type that cannot be read as the planned one is refused; every type can be read as text', async (t) => {
  t.ok(fits(INT, 'fixed') && fits(STRING, 'variant') && fits(DATE, 'timestamp_ntz'))
  t.notOk(fits(INT, 'real') || fits(DATE, 'fixed') || fits(INT, 'text'))
})

t.test('a lost session is tried again, and its message contains no address', async (t) => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 'ECONNREFUSED' })
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 401001, cause })
  t.ok(isTransient(refused) && isTransient(Object.assign(new Error('x'), { code: '000605' })))
  t.notOk(isTransient(Object.assign(new Error('SQL compilation error'), { code: '001003' })))
  t.notMatch(engineMessage(refused), /10\.0/)
})

t.test('a missing driver is refused with the install command', async (t) => {
  const refused = { code: 'VENDOR_UNAVAILABLE', details: { hint: 'npm install snowflake-sdk' } }
  await t.rejects(snowflakeVendor(planOf({ account: 'a' })).connect({ logger: silentLogger, poolSize: 1 }), refused)
})

t.test('the error of an account that refuses the login names the database', async (t) => {
  const destroyed: string[] = []
  const load = async (): Promise<Driver> => ({
    configure: () => {},
    createConnection: () => ({
      connectAsync: async () => {
        throw Object.assign(new Error('Incorrect username or password'), { code: '390100' })
      },
      isUp: () => false,
      execute: () => {
        throw new Error('not connected')
      },
      destroy: () => destroyed.push('x'),
    }),
  })
  const connection = await snowflakeVendor(planOf({ account: 'a' }), { load }).connect({ logger: silentLogger, poolSize: 1 })
  t.teardown(() => connection.close())
  const answer = connection.query('SELECT 1', { schema: [{ name: 'n', type: INT, role: 'field' }] })[Symbol.asyncIterator]()
  await t.rejects(answer.next(), { code: 'VENDOR_UNAVAILABLE', message: /'snowflake'.*Incorrect username/ })
})
