import t from 'tap'
import { holds } from '../specification/holds.js'
import { startRest } from './server.js'

const KEY = 'test_pat_0123456789abcdef0123456789abcdef01234567'
const ELSEWHERE = /(?:src|href)=["'](?:https?:)?\/\//

t.test('the API pages need no key, and load nothing from another host', async (t) => {
  holds(t, 'route.docs')
  const server = await startRest({ settings: { AUTH_MODE: 'api_key', API_KEYS: KEY } })
  t.teardown(() => server.close())
  for (const page of ['/docs', '/redoc']) {
    const { status, headers, text } = await server.get(page)
    t.equal(status, 200, page)
    t.match(headers['content-type'], /^text\/html/)
    t.notMatch(text, ELSEWHERE, page)
    t.notMatch(headers['content-security-policy'], /https?:/, page)
  }
  const { text: viewer } = await server.get('/docs')
  const files = [...viewer.matchAll(/(?:src|href)="\.?\/?([^"#]+)"/g)].map(([, file]) => file!)
  t.ok(files.length >= 4, files.join())
  for (const file of files) t.equal((await server.get(new URL(file, 'http://x/').pathname)).status, 200, file)
  t.match((await server.get('/docs/static/swagger-initializer.js')).text, /"validatorUrl":null/)
  const absent = await server.get('/docs/static/absent.js')
  t.match(absent, { status: 404, body: { code: 'NOT_FOUND' } })
  t.equal(absent.body.request_id, absent.headers['x-request-id'])
  const { text: page } = await server.get('/redoc')
  t.match(page, 'POST /v1/sessions/{session_id}/query/sql')
  t.notMatch(page, /<script/)
})

t.test('the pages and the document can be switched off separately', async (t) => {
  holds(t, 'route.docs', 'route.openapi')
  const statuses = async (settings: Record<string, unknown>) => {
    const server = await startRest({ settings })
    t.teardown(() => server.close())
    return Promise.all(['/docs', '/redoc', '/docs/json', '/openapi.json'].map(async (path) => (await server.get(path)).status))
  }
  t.same(await statuses({}), [200, 200, 200, 200])
  t.same(await statuses({ EXPOSE_API_DOCS: false }), [404, 404, 404, 200])
  t.same(await statuses({ EXPOSE_OPENAPI_SCHEMA: false }), [200, 200, 404, 404], 'a page to read is left')
  t.same(await statuses({ EXPOSE_API_DOCS: false, EXPOSE_OPENAPI_SCHEMA: false }), [404, 404, 404, 404])
})

t.test('the languages are described by pages and schemas', async (t) => {
  holds(t, 'route.reference')
  const server = await startRest()
  t.teardown(() => server.close())
  const { pages } = (await server.get('/v1/reference')).body as { pages: { name: string; path: string }[] }
  t.ok(pages.length >= 6)
  t.ok(
    pages.some(({ name }) => name === 'semantic-ql'),
    'a language brings its own page',
  )
  for (const { name, path } of pages) {
    const { status, headers, text } = await server.get(path)
    t.equal(status, 200, name)
    t.match(headers['content-type'], /^schemas\/|^language$/.test(name) ? /^application\/json/ : /^text\/markdown/, name)
    t.ok(text.length > 1000, name)
  }
  const language = (await server.get('/v1/reference/language')).body as { functions: { name: string }[] }
  t.match(language, { schema: { title: 'Grainline semantic model' }, grains: ['second'] })
  t.match(
    language.functions.find(({ name }) => name === 'concat'),
    { arity: [1, null], meaning: /texts/ },
  )
  t.match((await server.get('/v1/reference/errors')).text, '`UNKNOWN_DATA_OBJECT`')
  t.match(await server.get('/v1/reference/querry'), { status: 404, body: { code: 'NOT_FOUND', suggestions: ['query'] } })
})
