/** Who a principal is for the rules: a key without a name, somebody without keys, values that nearly fit, and what a question may write itself. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostPlugin } from '@grainline/core'
import rest from '@grainline/surface-rest'
import t from 'tap'
import { startServer } from '../../core/src/host/server.js'
import { servedShop } from './served.js'
import { KEYS, KEYS_FILE, MODEL, TABLES } from './shop.js'

const total = { select: { measures: ['Revenue'] } }
const BARE = 'svc_pat_bare_0123456789abcdef0123456789abcdef'

t.test('a key of API_KEYS has no name, no role and no attribute, and is no administrator', async (t) => {
  const ask = async (model: string, url: string, payload?: object) => {
    const shop = await servedShop(t, { model, settings: { API_KEYS: BARE, API_KEYS_FILE: undefined } })
    const answer = await shop.app.inject({ method: 'POST', url, headers: { 'x-api-key': BARE }, payload: payload ?? {} })
    return [answer.statusCode, answer.json().code]
  }
  const query = { query: total }
  t.same(await ask(MODEL, '/v1/query/execute', query), [403, 'ACCESS_ATTRIBUTE_MISSING'])
  const byName = MODEL.replaceAll('op: in, value: { attribute: regions }', "op: '=', value: { principal: name }")
  t.same(await ask(byName, '/v1/query/execute', query), [403, 'ACCESS_ATTRIBUTE_MISSING'], 'nor can a policy read its name')
  t.same(await ask(MODEL, '/v1/cache/clear'), [403, 'ADMIN_REQUIRED'], 'beside access rules administrators are named')
  t.same(await ask(MODEL, '/v1/verify'), [403, 'ADMIN_REQUIRED'])
  const open = MODEL.replace(/^access:[\s\S]*/m, '')
  t.same((await ask(open, '/v1/cache/clear'))[0], 200, 'without rules any key is')
})

t.test('without keys everybody on this machine is an administrator, and nobody asks for others', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'grainline-open-'))
  t.teardown(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, 'shop.yaml'), MODEL)
  const plugins = [
    '@grainline/dialect-duckdb',
    { use: '@grainline/vendor-duckdb', with: { init: [...TABLES] } },
    rest as HostPlugin,
  ]
  const settings = { MODEL_DIR: dir, MODEL_FILES: 'shop.yaml', QUERY_EXECUTE: 'true' }
  const server = await startServer(
    { plugins, base: dir },
    { process: { PORT: '0', LOG_LEVEL: 'CRITICAL', ...settings }, dotenv: {} },
  )
  t.teardown(() => server.close())
  const ask = async (headers: Record<string, string>) => {
    const url = '/v1/query/execute'
    return (
      await server.app.inject({ method: 'POST', url, headers: { host: 'localhost', ...headers }, payload: { query: total } })
    ).json()
  }
  t.match(await ask({}), { rows: [[11130]] })
  t.match(await ask({ 'x-api-key': KEYS.north }), { rows: [[11130]] }, 'a key means nothing')
  const named = Buffer.from(JSON.stringify({ name: 'nora', attributes: { regions: ['North'] } })).toString('base64')
  t.match(await ask({ 'x-on-behalf-of': named }), { code: 'ON_BEHALF_REFUSED' })
})

t.test('a value is compared as it is: by type and by code point', async (t) => {
  const key = (name: string) => `svc_pat_${name}_0123456789abcdef0123456789abcdef`
  const given = {
    lower: ['north'],
    blank: ['North '],
    composed: ['No\u0301rth'],
    number: 1,
    truth: [true],
    mixed: ['North', 1],
    nested: 'North,South',
    nothing: null,
  }
  const keys = Object.entries(given).map(([name, regions]) =>
    JSON.stringify({ name, key: key(name), roles: ['sales'], attributes: { regions } }),
  )
  const shop = await servedShop(t, { keys: KEYS_FILE + keys.map((one) => `- ${one}\n`).join('') })
  const asked = async (name: string) => {
    const answer = await shop.app.inject({
      method: 'POST',
      url: '/v1/query/execute',
      headers: { 'x-api-key': key(name) },
      payload: { query: total },
    })
    return answer.json().rows ?? answer.json().code
  }
  for (const name of ['lower', 'blank', 'composed', 'nested']) t.same(await asked(name), [[null]], name)
  for (const name of ['number', 'truth', 'mixed', 'nothing']) t.equal(await asked(name), 'ACCESS_ATTRIBUTE_MISSING', name)
})

t.test('an expression of a question has no function outside the catalogue, and no SQL, whatever models may have', async (t) => {
  const shop = await servedShop(t, { settings: { MODEL_SQL: 'allow', MODEL_FUNCTIONS: 'current_setting' } })
  for (const expression of ["current_setting('access_mode')", 'concat({Region}, (SELECT max(name) FROM customers))']) {
    const query = { select: { dimensions: [{ as: 'Probe', expression }], measures: ['Revenue'] } }
    const { status, body } = await shop.post('north', '/v1/query/execute', { query })
    t.equal(status, 422, JSON.stringify(body))
    t.notMatch(JSON.stringify(body.rows ?? []), /automatic|Bob/)
  }
  const child = { model_json: { version: 1, name: 'x' }, inherits: 'shop' }
  for (const who of ['ops', 'auditor', 'developer'] as const) {
    const validated = await shop.post(who, '/v1/sessions/shop/validate', child)
    t.match(
      validated.body,
      { valid: false, errors: [{ code: 'MODELS_ARE_FIXED' }] },
      `${who}: ${JSON.stringify(validated.body).slice(0, 200)}`,
    )
    const extended = await shop.post(who, '/v1/oneshot/batch', { ...child, queries: [{ id: 'a', query: total }] })
    t.notOk(extended.status < 400, `${who}: ${JSON.stringify(extended.body).slice(0, 200)}`)
  }
})

t.test('principals that ask the same at once get their own answers', async (t) => {
  const settings = { CACHE_BACKEND: 'memory', CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl' }
  const { rows } = await servedShop(t, { settings, plugins: ['@grainline/cache-memory'] })
  const wanted = {
    north: [[30]],
    also: [[30]],
    south: [[100]],
    empty: [[null]],
    auditor: [[11130]],
    none: 'ACCESS_ATTRIBUTE_MISSING',
  }
  const everybody = Object.keys(wanted) as (keyof typeof wanted)[]
  const answers = await Promise.all(
    [...everybody, ...everybody.toReversed()].map(async (who) => [who, await rows(who, total)] as const),
  )
  for (const [who, seen] of answers) t.same(seen, wanted[who], who)
})
