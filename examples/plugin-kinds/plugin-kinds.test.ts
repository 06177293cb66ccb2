/** The examples of docs/writing-plugins.md, on a host and by the conformance suite of their kind. */
import { createHost } from '@grainline/core'
import { grainline } from '@grainline/core/fastify'
import {
  authenticatorConformance,
  cacheConformance,
  formatConformance,
  importerConformance,
  languageConformance,
} from '@grainline/core/testing'
import duckdbDialect from '@grainline/dialect-duckdb'
import rest from '@grainline/surface-rest'
import duckdbVendor from '@grainline/vendor-duckdb'
import Fastify from 'fastify'
import t from 'tap'
import authenticator, { passAuthenticator, passFor } from './authenticator.js'
import cache, { newestStore } from './cache.js'
import format, { markdown } from './format.js'
import importer, { lines } from './importer.js'
import language, { by } from './language.js'
import surface from './surface.js'

const init = ['CREATE TABLE orders AS SELECT * FROM (VALUES (1), (41)) v(amount)']
const settings = { QUERY_EXECUTE: true, AUTH_MODE: 'signed_pass', PASS_SECRET: 'a secret of the test', CACHE_BACKEND: 'newest' }
const plugins = [duckdbDialect, { use: duckdbVendor, with: { init } }, authenticator, { use: cache, with: { most: 2 } }, surface]

const rowsIn = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8').trimEnd().split('\n').length - 2
formatConformance(t, { format: markdown, rowsIn })
importerConformance(t, { importer: lines, model: '#lines\n# of 2026\norders: region, sum amount\n', invalid: '#lines\norders\n' })
languageConformance(t, { language: by, one: 'Revenue by Country', faulty: 'Revenu by Country' })
const good = { scheme: 'bearer', value: passFor('ada', 4_000_000_000, 'a secret of the test') } as const
authenticatorConformance(t, { authenticator: passAuthenticator('a secret of the test'), good, secrets: ['a secret of the test'] })
cacheConformance(t, { open: async () => newestStore(10_000) })

t.test('a pass of this server is accepted, and the surface answers with a number', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const preload = [{ session: 'shop', model: './model.yaml' }]
  await app.register(grainline, { config: { plugins, settings, preload, base: import.meta.dirname } })
  const asked = async (pass?: string, name = 'Revenue') => {
    const headers = pass === undefined ? {} : { authorization: `Bearer ${pass}` }
    const { statusCode, body } = await app.inject({ url: `/numbers/${name}`, headers })
    return statusCode === 200 ? body : [statusCode, JSON.parse(body).code]
  }
  const pass = passFor('ada', 4_000_000_000, 'a secret of the test')
  t.equal(await asked(pass), '42\n')
  t.same(await asked(), [401, 'AUTH_REQUIRED'])
  t.same(await asked(`${pass.slice(0, -1)}_`), [401, 'AUTH_INVALID'])
  t.same(await asked(passFor('ada', 1, 'a secret of the test')), [401, 'AUTH_INVALID'])
  t.same(await asked(passFor('ada', 4_000_000_000, 'another')), [401, 'AUTH_INVALID'])
  t.same(await asked(pass, 'Revenu'), [422, 'UNKNOWN_MEASURE'])
})

t.test('the cache keeps as many answers as its option allows', async (t) => {
  const store = newestStore(2)
  for (const key of ['a', 'b', 'c']) await store.set(key, Buffer.from(key), 60)
  t.equal(await store.get('a'), undefined)
  t.same(Buffer.from((await store.get('c'))!).toString(), 'c')
})

t.test('a server without a secret does not start', async (t) => {
  await t.rejects(createHost({ plugins, settings: { ...settings, PASS_SECRET: '' } }), /PASS_SECRET is empty/)
})

t.test('REST uses the format and the language of a plugin', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const preload = [{ session: 'shop', model: './model.yaml' }]
  const served = [...plugins, rest, format, language]
  await app.register(grainline, { config: { plugins: served, settings, preload, base: import.meta.dirname } })
  const authorization = `Bearer ${passFor('ada', 4_000_000_000, 'a secret of the test')}`
  const ask = (url: string, payload: object, headers = {}) =>
    app.inject({ method: 'POST', url, payload, headers: { authorization, ...headers } })
  const query = { select: { measures: ['Revenue'] } }
  const table = '| Revenue |\n| --- |\n| 42 |\n'
  t.equal((await ask('/v1/query/execute?format=markdown', query)).body, table)
  t.equal((await ask('/v1/query/execute', query, { accept: 'text/markdown' })).body, table)
  t.match((await ask('/v1/query/execute?format=markdwon', query)).json(), {
    code: 'NOT_ACCEPTABLE',
    detail: /csv, tsv, arrow, markdown/,
  })
  const said = { sql: 'Revenue by Amount', language: 'by' }
  t.match((await ask('/v1/query/semantic-ql', said)).json(), { row_count: 2, query: { select: { dimensions: ['Amount'] } } })
  t.match((await ask('/v1/query/semantic-ql', { sql: 'Revenue', language: 'by' })).json(), { code: 'SQL_SYNTAX_ERROR' })
  t.match((await ask('/v1/query/semantic-ql', { sql: 'Revenue', language: 'bye' })).json(), {
    code: 'INVALID_REQUEST',
    suggestions: ['by'],
  })
})

t.test('REST loads a model in the format of a plugin', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const served = [duckdbDialect, { use: duckdbVendor, with: { init } }, rest, importer]
  await app.register(grainline, { config: { plugins: served, settings: { QUERY_EXECUTE: true }, base: import.meta.dirname } })
  const post = async (url: string, payload: object) => (await app.inject({ method: 'POST', url, payload })).json()
  const { session_id: session } = await post('/v1/sessions', {})
  const text = '#lines\n# about orders\norders: sum amount\n'
  const loaded = await post(`/v1/sessions/${session}/models`, { model_yaml: text, format: 'lines' })
  t.match(loaded.warnings, [{ code: 'IMPORT_LOSS', line: 2, context: { format: 'lines', kind: 'refused' } }])
  const query = { select: { measures: ['orders sum amount'] } }
  t.match(await post(`/v1/sessions/${session}/query/execute`, { model_id: loaded.model_id, query }), { rows: [[42]] })
  t.match(await post(`/v1/sessions/${session}/models`, { model_yaml: text, format: 'line' }), { suggestions: ['lines'] })
})
