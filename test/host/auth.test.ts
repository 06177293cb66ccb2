import { credentialsOf } from '@grainline/core/unstable'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { hostOf } from './support.js'

const OLD = 'svc_pat_0123456789abcdef0123456789abcdef01234567'
const NEW = 'svc_pat_fedcba9876543210fedcba9876543210fedcba98'

t.test('without authentication every client is admitted', async (t) => {
  holds(t, 'auth.none')
  const host = await hostOf({ plugins: [] })
  t.teardown(() => host.close())
  t.same(await host.authenticate(undefined), { id: 'anonymous' })
})

t.test('every listed key is admitted in each kind of credential; other keys and missing keys are refused', async (t) => {
  holds(t, 'auth.many')
  const host = await hostOf({ plugins: [], settings: { AUTH_MODE: 'api_key', API_KEYS: [OLD, NEW] } })
  t.teardown(() => host.close())
  const principals = await Promise.all([
    host.authenticate({ scheme: 'header', value: OLD }),
    host.authenticate({ scheme: 'bearer', value: NEW }),
    host.authenticate({ scheme: 'password', value: NEW }),
  ])
  t.notSame(principals[0], principals[1])
  t.same(principals[1], principals[2])
  t.notMatch(JSON.stringify(principals), /pat_/, 'a principal does not carry its key')
  await t.rejects(host.authenticate(undefined), { code: 'AUTH_REQUIRED', status: 401 })
  await t.rejects(host.authenticate({ scheme: 'header', value: '' }), { code: 'AUTH_REQUIRED' })
  for (const value of [OLD.slice(0, -1), `${OLD}x`, `${OLD},${NEW}`, 'nonsense']) {
    await t.rejects(host.authenticate({ scheme: 'header', value }), { code: 'AUTH_INVALID', status: 401 })
  }
})

t.test('the credentials are the API key header, then a bearer token', async (t) => {
  holds(t, 'auth.header')
  const [key, token] = [
    { scheme: 'header', value: 'k' },
    { scheme: 'bearer', value: 'b' },
  ]
  t.same(credentialsOf({ 'x-api-key': 'k', authorization: 'Bearer b' }, 'X-API-Key'), [key, token])
  t.same(credentialsOf({ 'x-api-key': 'k', authorization: 'Basic b' }, 'X-API-Key'), [key])
  t.same(credentialsOf({ 'x-api-key': '', authorization: 'bearer  b' }, 'X-API-Key'), [token])
  t.same(credentialsOf({ authorization: 'Bearer b' }, 'Authorization'), [token])
  t.same(credentialsOf({ authorization: 'k' }, 'Authorization'), [key])
  const basic = (pair: string) => credentialsOf({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, 'X-API-Key')
  t.same(basic('anybody:se:cret'), [{ scheme: 'password', value: 'se:cret' }])
  t.same(basic(':k'), [{ scheme: 'password', value: 'k' }])
  for (const pair of ['anybody:', 'anybody', '']) t.same(basic(pair), [], pair)
  t.same(credentialsOf({ authorization: 'Basic b' }, 'X-API-Key'), [])
  t.same(credentialsOf({}, 'X-API-Key'), [])
})
