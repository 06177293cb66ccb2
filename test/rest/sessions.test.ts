import t from 'tap'
import { holds } from '../specification/holds.js'
import { startRest } from './server.js'

t.test('a session is opened, shown and closed', async (t) => {
  holds(t, 'route.sessions.post', 'route.sessions.get', 'route.sessions.delete', 'field.session', 'state.unguessable')
  const server = await startRest()
  t.teardown(() => server.close())
  const { status, body } = await server.post('/v1/sessions', { metadata: { someKey: 'v' } })
  t.equal(status, 201)
  t.match(body, {
    created_at: '2026-01-01T00:00:00Z',
    last_accessed_at: '2026-01-01T00:00:00Z',
    expires_at: '2026-01-01T00:30:00Z',
    max_expires_at: '2026-01-02T00:00:00Z',
    model_count: 0,
  })
  t.same(body.metadata, { someKey: 'v' }, 'keys of metadata are never folded')
  t.equal(typeof body.session_id, 'string')
  const url = `/v1/sessions/${body.session_id}`
  t.same((await server.get(url)).body, body)
  const closed = await server.delete(url)
  t.equal(closed.status, 204)
  t.equal(closed.text, '')
  t.match(await server.get(url), { status: 404, body: { code: 'SESSION_NOT_FOUND' } })
  t.match(await server.delete(url), { status: 404, body: { code: 'SESSION_NOT_FOUND' } })
})

t.test('a request without a body, and an empty JSON body, open a session without metadata', async (t) => {
  holds(t, 'route.sessions.post')
  const server = await startRest()
  t.teardown(() => server.close())
  t.match(await server.post('/v1/sessions'), { status: 201, body: { metadata: {} } })
  t.match(await server.post('/v1/sessions', '', { 'content-type': 'application/json' }), { status: 201 })
  const { session_id: id } = (await server.post('/v1/sessions', {})).body
  const removed = await server.app.inject({
    method: 'DELETE',
    url: `/v1/sessions/${id}`,
    headers: { 'content-type': 'application/json' },
    payload: '',
  })
  t.equal(removed.statusCode, 204)
})

t.test('an access by id extends the idle deadline, a list does not, and after the deadline the answer is 404', async (t) => {
  holds(t, 'state.idle', 'state.idle-expired', 'state.age-expired', 'route.sessions.list', 'status.404')
  const server = await startRest({ settings: { SESSION_TTL_SECONDS: 100, SESSION_MAX_AGE_SECONDS: 150 } })
  t.teardown(() => server.close())
  const { session_id: id } = (await server.post('/v1/sessions')).body
  server.pass(60)
  t.match((await server.get('/v1/sessions')).body, { sessions: [{ session_id: id, expires_at: '2026-01-01T00:01:40Z' }] })
  t.match((await server.get(`/v1/sessions/${id}`)).body, {
    expires_at: '2026-01-01T00:02:30Z',
    last_accessed_at: '2026-01-01T00:01:00Z',
  })
  server.pass(89)
  t.equal((await server.get(`/v1/sessions/${id}/models`)).status, 200)
  server.pass(1)
  t.match(await server.get(`/v1/sessions/${id}`), { status: 404, body: { code: 'SESSION_NOT_FOUND' } })
  t.same((await server.get('/v1/sessions')).body, { sessions: [] })
})

t.test('a full service answers 429 with Retry-After', async (t) => {
  holds(t, 'status.429.sessions')
  const server = await startRest({ settings: { MAX_SESSIONS: 2 } })
  t.teardown(() => server.close())
  await server.post('/v1/sessions')
  await server.post('/v1/sessions')
  const refused = await server.post('/v1/sessions')
  t.match(refused, { status: 429, body: { code: 'SESSION_LIMIT' } })
  t.equal(refused.headers['retry-after'], '1800')
  server.pass(1800)
  t.equal((await server.post('/v1/sessions')).status, 201)
})

t.test('one address can open so many sessions per minute; X-Forwarded-For is used only for trusted proxies', async (t) => {
  holds(t, 'status.429.rate')
  const server = await startRest({ settings: { SESSION_RATE_LIMIT: 1, TRUSTED_PROXY_COUNT: 1 } })
  t.teardown(() => server.close())
  const from = (chain: string) => server.post('/v1/sessions', undefined, { 'x-forwarded-for': chain })
  t.equal((await from('1.1.1.1')).status, 201)
  const refused = await from('9.9.9.9, 1.1.1.1')
  t.match(refused, { status: 429, body: { code: 'RATE_LIMITED' } }, 'what the client itself wrote is not believed')
  t.equal(refused.headers['retry-after'], '60')
  t.equal((await from('2.2.2.2')).status, 201)
  server.pass(60)
  t.equal((await from('1.1.1.1')).status, 201)

  const direct = await startRest({ settings: { SESSION_RATE_LIMIT: 1 } })
  t.teardown(() => direct.close())
  await direct.post('/v1/sessions', undefined, { 'x-forwarded-for': '1.1.1.1' })
  t.equal(
    (await direct.post('/v1/sessions', undefined, { 'x-forwarded-for': '2.2.2.2' })).status,
    429,
    'without a proxy the header is ignored',
  )
})

t.test('the list of sessions can be switched off', async (t) => {
  holds(t, 'route.sessions.list', 'status.403')
  const server = await startRest({ settings: { DISABLE_SESSION_LIST: true } })
  t.teardown(() => server.close())
  t.match(await server.get('/v1/sessions'), { status: 403, body: { code: 'SESSION_LIST_DISABLED' } })
  const shortcuts = ['/v1/schema', '/v1/join-graph', '/v1/values/Region', '/v1/dimensions', '/v1/models/x']
  const statement = { sql: 'SELECT "Region" FROM shop' }
  const answers = async () => {
    const read = shortcuts.map((path) => server.get(path))
    const asked = ['/v1/query/sql', '/v1/query/plan', '/v1/find'].map((path) => server.post(path, { query: {} }))
    const all = await Promise.all([...read, ...asked, server.post('/v1/query/semantic-ql/compile', statement)])
    return all.map(({ status, body: { request_id: _, ...body } }) => ({ status, body }))
  }
  const nobody = await answers()
  const { session: id } = await server.shop()
  t.same(await answers(), nobody, 'a lone session is as hidden as none')
  const other = await server.shop()
  t.same(await answers(), nobody, 'and so are two')
  t.equal((await server.get(`/v1/sessions/${id}`)).status, 200)
  t.match((await server.get(`/v1/schema?session_id=${id}`)).body, { name: 'shop' }, 'its id still opens it')
  for (const path of [`models/${id}`, 'models/nothing', 'models/shopp', `models/${other.model}`]) {
    const { status, text } = await server.get(`/v1/sessions/${id}/${path}`)
    t.equal(status, 404, path)
    if (!path.includes(id)) t.notMatch(text, id, 'no text names the session')
  }
  t.notMatch((await server.post(`/v1/sessions/${id}/models`, { model_yaml: 'a: 1', inherits: 'x' })).text, id)
})
