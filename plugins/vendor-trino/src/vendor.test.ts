/** What needs no server; the rest is in test/interop/trino. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { silentLogger } from '@grainline/core'
import { DATE, decimal, FLOAT, INT, STRING, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import { parse, stringify } from 'lossless-json'
import t from 'tap'
import { decode, fits } from './decode.js'
import { engineMessage, isTransient } from './errors.js'
import { plansOf, trinoVendor } from './index.js'
import { readPage, rowsOf } from './page.js'

const NOTHING = { TRINO_URL: undefined, TRINO_TOKEN: undefined }
const NUMBER = [{ name: 'n', type: INT, role: 'field' }] as const

t.test('a URL is split into its parts, and options may add the missing parts', async (t) => {
  const [plan] = plansOf({}, { ...NOTHING, TRINO_URL: 'https://me:p%40ss@h:9443/lake/shop' })
  t.match(plan, { url: 'https://h:9443', user: 'me', catalog: 'lake', schema: 'shop', readOnly: true })
  t.equal(plan!.authorization, `Basic ${Buffer.from('me:p@ss').toString('base64')}`)
  t.match(plansOf({ url: 'http://x@y', port: 1, catalog: 'c' }, NOTHING)[0], { url: 'http://y:1', user: 'x', catalog: 'c' })
  t.match(plansOf({}, NOTHING)[0], { url: 'http://localhost:8080', user: 'grainline', authorization: undefined })
  t.throws(() => plansOf({ url: 'https://h/a/b', schema: 'c' }, NOTHING), { code: 'INVALID_CONFIG', path: 'schema' })
  t.throws(() => plansOf({ url: 'https://h/a/b/c' }, NOTHING), { code: 'INVALID_CONFIG', path: 'url' })
  t.throws(() => plansOf({ url: 'trino://h' }, NOTHING), { code: 'INVALID_CONFIG', path: 'url' })
})

t.test('a URL from the environment is used instead of the configuration, with its own token', async (t) => {
  const configured = { host: 'old', catalog: 'c', schema: 's', token: 'old', tls: true } as const
  const [plan] = plansOf(configured, { TRINO_URL: 'https://new/lake', TRINO_TOKEN: 'jwt' })
  t.match(plan, { url: 'https://new:443', catalog: 'lake', schema: undefined, authorization: 'Bearer jwt' })
  t.match(plansOf({ ...configured, connections: { two: { host: 'h' } } }, NOTHING), [{ url: 'https://old:443' }, { name: 'two' }])
})

t.test('either a password or a token, and only over TLS', async (t) => {
  t.throws(() => plansOf({ host: 'h', password: 'p', token: 't', tls: true }, NOTHING), { code: 'INVALID_CONFIG' })
  t.throws(() => plansOf({ host: 'h', password: 'p' }, NOTHING), { code: 'INVALID_CONFIG', path: 'tls' })
  t.throws(() => plansOf({ url: 'http://u:p@h' }, NOTHING), { code: 'INVALID_CONFIG', path: 'tls' })
})

t.test('the identity of a cluster is its address and user, in every form of the options, and never a secret', async (t) => {
  const says = (options: Parameters<typeof plansOf>[0]) => trinoVendor(plansOf(options, NOTHING)[0]!).identity!
  const parts = says({ host: 'h', catalog: 'c', schema: 's', user: 'u', password: 'secret', tls: true })
  t.equal(says({ url: 'https://u:other-secret@h:443/c/s' }), parts)
  t.notMatch(parts, /secret/)
  t.not(says({ url: 'https://u@h/c/t' }), parts)
})

t.test('integers of any size are read without loss, also in arrays', async (t) => {
  const page = (columns: readonly string[], data: string) => {
    const named = columns.map((type) => `{"name":"c","type":"${type}"}`)
    return [...rowsOf(readPage(`{"columns":[${named}],"data":[${data}]}`, { parse }), { stringify })].flat()
  }
  t.same(page(['bigint', 'double'], '[9007199254740991,0.1],[9007199254740993,1.0E300]'), [
    ['9007199254740991', '0.1'],
    ['9007199254740993', '1.0E300'],
  ])
  t.same(page(['bigint', 'varchar'], '[-5,null],[null,"9007199254740993"]'), [
    ['-5', null],
    [null, '9007199254740993'],
  ])
  t.same(page(['array(bigint)', 'boolean'], '[[9223372036854775807,null],true]'), [['[9223372036854775807,null]', 'true']])
  t.same(page(['double', 'map(varchar, double)'], '["NaN",{"a":1.5}]'), [['NaN', '{"a":1.5}']])
})

t.test('a type that cannot be read as the planned one is refused', async (t) => {
  t.ok(fits(INT, 'integer') && fits(STRING, 'array(bigint)') && fits(DATE, 'unknown') && fits(TIMESTAMP, 'timestamp(6)'))
  t.ok(fits(decimal(10, 2), 'decimal(38, 2)') && fits(FLOAT, 'real') && fits(TIMESTAMP_TZ, 'timestamp(3) with time zone'))
  t.notOk(fits(INT, 'varchar') || fits(DATE, 'integer') || fits(INT, 'array(bigint)') || fits(TIMESTAMP, 'time(3)'))
})

t.test('an instant is the same in whatever zone it arrives; a local time that exists twice is refused', async (t) => {
  t.equal(decode('2024-02-29 12:00:00.123456789 UTC', TIMESTAMP_TZ), '2024-02-29 12:00:00.123456Z')
  t.equal(decode('2024-02-29 12:00:00.0 +05:30', TIMESTAMP_TZ), '2024-02-29 12:00:00.0+05:30')
  t.equal(decode('2024-07-01 12:00:00 Europe/Paris', TIMESTAMP_TZ), BigInt(Date.UTC(2024, 6, 1, 10)) * 1000n)
  t.equal(decode('2024-10-27 04:00:00 Europe/Paris', TIMESTAMP_TZ), BigInt(Date.UTC(2024, 9, 27, 3)) * 1000n)
  t.throws(() => decode('2024-10-27 02:30:00 Europe/Paris', TIMESTAMP_TZ), { code: 'RESULT_TYPE_MISMATCH' })
})

t.test('a temporary error is tried again, and no message contains an address', async (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:8080'), { code: 'ECONNREFUSED' })
  const fault = (code: unknown) => Object.assign(new Error('x'), { code })
  t.ok([refused, fault('UND_ERR_SOCKET'), fault(503), fault('SERVER_STARTING_UP')].every(isTransient))
  t.notOk([fault('SYNTAX_ERROR'), fault(401), fault('EXCEEDED_TIME_LIMIT')].some(isTransient))
  t.notMatch(engineMessage(refused), /10\.0/)
})

t.test('a password is sent only to the configured host, whatever host an answer names', async (t) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['authorization']}`)
    const next =
      request.method === 'POST' ? { nextUri: 'http://thief.invalid/v1/next?x=1' } : { columns: [{ name: 'n', type: 'bigint' }] }
    response.end(JSON.stringify(next))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const [plan] = plansOf({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, readOnly: false }, NOTHING)
  const connection = await trinoVendor({ ...plan!, authorization: 'Basic eA==' }).connect({ logger: silentLogger, poolSize: 1 })
  for await (const _ of connection.query('SELECT 1', { schema: NUMBER })) t.fail('there are no rows')
  await connection.close()
  t.same(asked, ['POST /v1/statement Basic eA==', 'GET /v1/next?x=1 Basic eA=='])
})

t.test('a missing cluster, and one that refuses, is one clear error', async (t) => {
  const [plan] = plansOf({ host: '127.0.0.1', port: 1 }, NOTHING)
  const connection = await trinoVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
  const answer = connection.query('SELECT 1', { schema: NUMBER })[Symbol.asyncIterator]()
  await t.rejects(answer.next(), { code: 'DATABASE_ERROR', message: /lost or refused/ })
  await connection.close()
})
