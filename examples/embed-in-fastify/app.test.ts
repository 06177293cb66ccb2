import t, { type Test } from 'tap'
import { build } from './app.js'

const KEY = 'shop_pat_0123456789abcdef0123456789abcdef01234567'
const staff = { 'x-staff': 'yes' }
const key = { 'x-api-key': KEY }

async function shopOf(t: Test) {
  const lines: string[] = []
  const app = await build(KEY, { logger: { level: 'debug', stream: { write: (line: string) => void lines.push(line) } } })
  t.teardown(() => app.close())
  await app.ready()
  return { app, lines }
}

t.test('the shop and Grainline both answer', async (t) => {
  const { app } = await shopOf(t)
  t.same((await app.inject({ url: '/orders', headers: staff })).json(), [{ id: 1 }])
  t.match((await app.inject('/semantic/health')).json(), { status: 'ok', auth_mode: 'api_key' })
  const dialects = await app.inject({ url: '/semantic/v1/dialects', headers: key })
  t.match(dialects.json(), { dialects: [{ name: 'postgres' }] })
  t.equal((await app.inject({ url: '/v1/dialects', headers: key })).statusCode, 404, 'only under the prefix')
})

t.test('the authentication of each side does not apply to the other', async (t) => {
  const { app } = await shopOf(t)
  t.equal((await app.inject({ url: '/orders', headers: key })).statusCode, 401)
  t.equal((await app.inject({ url: '/semantic/v1/dialects', headers: staff })).statusCode, 401)
  t.equal((await app.inject({ url: '/orders', headers: staff })).statusCode, 200)
  t.equal((await app.inject({ url: '/semantic/v1/dialects', headers: key })).statusCode, 200)
})

t.test('hooks and error handlers apply to their own side only', async (t) => {
  const { app } = await shopOf(t)
  const orders = await app.inject({ url: '/orders', headers: staff })
  const dialects = await app.inject({ url: '/semantic/v1/dialects', headers: key })
  t.match(orders.headers, { 'x-shop': 'open', 'x-request-id': undefined })
  t.match(dialects.headers, { 'x-shop': undefined, 'x-request-id': String })
  t.same((await app.inject({ url: '/broken', headers: staff })).json(), { oops: 'the till is stuck' })
  const refused = await app.inject({ method: 'POST', url: '/semantic/v1/validate', headers: key, payload: { model: 1 } })
  t.equal(refused.statusCode, 422)
  t.match(refused.headers['content-type'], /^application\/problem\+json/)
  t.match(refused.json(), { code: 'INVALID_REQUEST' })
})

t.test('one OpenAPI document contains the routes of both', async (t) => {
  const { app } = await shopOf(t)
  const { paths } = (await app.inject('/openapi.json')).json() as { paths: Record<string, unknown> }
  t.ok(paths['/orders'])
  t.ok(paths['/semantic/v1/dialects'])
  t.ok(paths['/semantic/health'])
})

t.test('Grainline writes to the logger of the shop', async (t) => {
  const { app, lines } = await shopOf(t)
  app.grainline.logger.info('from the host')
  t.ok(lines.some((line) => line.includes('from the host')))
})

t.test('closing the shop closes the host', async (t) => {
  const { app } = await shopOf(t)
  const { service } = app.grainline
  await service.createSession({ metadata: {}, client: 'test', by: undefined })
  t.equal((await service.listSessions(undefined)).length, 1)
  await app.close()
  await t.rejects(service.listSessions(undefined), { code: 'SHUTTING_DOWN' })
})
