import t from 'tap'
import { plansByName } from './connection-options.js'
import { loadDriver } from './load-driver.js'
import { addressOf, servedAt, type UrlForm } from './server-address.js'

const FORM: UrlForm = { protocols: ['db'], example: 'db://user:password@host:port/database', query: ['host'] }

t.test('a URL contains the parts of an address, with any characters in them', async (t) => {
  t.same(addressOf('x', { url: 'db://m%40e:p%3A%2F@h:1/d%23b' }, FORM), {
    host: 'h',
    port: 1,
    database: 'd#b',
    user: 'm@e',
    password: 'p:/',
  })
  t.same(addressOf('x', { url: 'db://[::1]/' }, FORM), { host: '::1' })
  t.same(addressOf('x', { url: 'db:///d?host=/run/db' }, FORM), { host: '/run/db', database: 'd' })
})

t.test('options may add parts that a URL omits, and must agree with its parts', async (t) => {
  t.same(addressOf('x', { url: 'db://h/d', user: 'u', database: 'd' }, FORM), { host: 'h', database: 'd', user: 'u' })
  for (const [part, other] of Object.entries({ host: 'o', port: 2, database: 'o', user: 'o', password: 'o' }))
    t.throws(() => addressOf('x', { url: 'db://u:p@h:1/d', [part]: other }, FORM), { code: 'INVALID_CONFIG', path: part })
})

t.test('a URL of another form is refused with a message that does not repeat it', async (t) => {
  for (const url of ['other://u:secret@h/d', 'secret', 'db://u:secret%zz@h/d', 'db://u:secret@h:99999/']) {
    const refused = {
      code: 'INVALID_CONFIG',
      path: 'url',
      message: "The url of 'x' must be of the form db://user:password@host:port/database",
    }
    t.throws(() => addressOf('x', { url }, FORM), refused, url)
  }
})

t.test('a URL from the environment replaces only the address', async (t) => {
  const given = { url: 'db://a', host: 'b', port: 1, database: 'c', user: 'd', password: 'e', poolSize: 3 }
  t.same(servedAt(given, 'db://z'), { url: 'db://z', poolSize: 3 })
  t.equal(servedAt(given, undefined), given)
})

t.test('one name is one database', async (t) => {
  const planOf = (name: string, given: { readonly host?: string; readonly poolSize?: number }) => ({ name, ...given })
  t.same(plansByName({ a: { poolSize: 1 } }, { b: { host: 'c' } }, planOf), [
    { name: 'a', poolSize: 1, configured: false },
    { name: 'b', host: 'c', configured: true },
  ])
  t.throws(() => plansByName({ a: {} }, { a: {} }, planOf), { code: 'INVALID_CONFIG', path: 'connections.a' })
})

t.test('a missing driver is named with the command that installs it', async (t) => {
  const absent = () => import('no-such-package' as string)
  await t.rejects(loadDriver('Quarry', 'quarry-driver', absent), {
    code: 'VENDOR_UNAVAILABLE',
    details: { hint: 'npm install quarry-driver' },
  })
  t.equal(await loadDriver('Quarry', 'quarry-driver', async () => 7), 7)
})
