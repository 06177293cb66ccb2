/** Named keys: who a key is, which models it may use, and what happens to a file with a mistake. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createHost, type HostPlugin } from '@grainline/core'
import rest from '@grainline/surface-rest'
import t, { type Test } from 'tap'
import { readKeysFile } from '../../core/src/auth/read-keys-file.js'
import { startServer } from '../../core/src/host/server.js'
import { dialects } from '../rest/server.js'
import { shopModel } from '../rest/shop.js'
import { holds } from '../specification/holds.js'

const ANN = 'svc_pat_ann0123456789abcdef0123456789abcdef01234'
const BOB = 'svc_pat_bob0123456789abcdef0123456789abcdef01234'
const sha = (key: string) => createHash('sha256').update(key).digest('hex')

async function folder(t: Test, files: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'grainline-keys-'))
  t.teardown(() => rm(path, { recursive: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content)
  return path
}

t.test('an entry has a name, a key or its digest, roles, attributes and models', async (t) => {
  const dir = await folder(t, {
    'keys.yaml': `
- { name: ann, key: ${ANN}, roles: [sales, admin], attributes: { regions: [North, South], clearance: 2, none: null } }
- { name: bob, keySha256: "${sha(BOB)}", models: [shop] }`,
  })
  const [ann, bob] = readKeysFile(join(dir, 'keys.yaml'))
  t.same(ann?.principal, {
    id: 'ann',
    name: 'ann',
    roles: ['sales', 'admin'],
    attributes: { regions: ['North', 'South'], clearance: 2, none: null },
    administrator: true,
  })
  t.match(bob, { key: undefined, principal: { name: 'bob', administrator: false, models: ['shop'] } })
  t.equal(bob?.digest.toString('hex'), sha(BOB))
})

t.test('whatever is not understood is refused, and no key is shown', async (t) => {
  const entry = `name: ann, key: ${ANN}`
  const refused: Readonly<Record<string, readonly [string, RegExp]>> = {
    'unknown key': [`- { ${entry}, rolls: [admin] }`, /unknown key 'rolls'.*'roles'/],
    'no list': [`ann: { ${entry} }`, /not a list/],
    'no mapping': ['- ann', /not a mapping/],
    'no name': [`- { key: ${ANN} }`, /no 'name'/],
    'the name of a key without one': [`- { name: "key:0123", key: ${ANN} }`, /begins with 'key:'/],
    'no key': ['- { name: ann }', /either 'key' or 'keySha256'/],
    'both keys': [`- { ${entry}, keySha256: "${sha(ANN)}" }`, /either 'key' or 'keySha256'/],
    'a short key': ['- { name: ann, key: short }', /at least 16/],
    'a digest of another kind': ['- { name: ann, keySha256: abc }', /64 hexadecimal/],
    'roles as a text': [`- { ${entry}, roles: admin }`, /'roles'.*list/],
    'models as a text': [`- { ${entry}, models: shop }`, /'models'.*list/],
    'nested attributes': [`- { ${entry}, attributes: { a: { b: 1 } } }`, /attribute 'a'/],
    'a list of lists': [`- { ${entry}, attributes: { a: [[1]] } }`, /attribute 'a'/],
    'one key twice': [`- { ${entry} }\n- { name: bob, key: ${ANN} }`, /the key of entry 1/],
    'no YAML': ['- {', /cannot be read/],
  }
  for (const [name, [text, message]] of Object.entries(refused)) {
    const dir = await folder(t, { 'keys.yaml': text })
    const error = t.throws(() => readKeysFile(join(dir, 'keys.yaml')), { code: 'INVALID_VARIABLE', message }, name)
    t.notMatch(String(error), ANN, `${name} shows no key`)
  }
  t.throws(() => readKeysFile('/nowhere/keys.yaml'), { code: 'INVALID_VARIABLE', message: /cannot be read/ })
})

t.test('a server admits the keys of the file, and reads it again', async (t) => {
  holds(t, 'setting.API_KEYS_FILE')
  const text = (ann: string) => `
- { name: ann, key: ${ann}, roles: [admin] }
- { name: bob, keySha256: "${sha(BOB)}", models: [shop] }`
  const model = JSON.stringify({ ...shopModel, name: 'shop' })
  const dir = await folder(t, { 'keys.yaml': text(ANN), 'shop.yaml': model, 'other.yaml': model.replace('"shop"', '"other"') })
  const config = { plugins: ['@grainline/dialect-duckdb', rest as HostPlugin], base: dir }
  // A path in a variable begins at the working directory.
  const keys = relative(process.cwd(), join(dir, 'keys.yaml'))
  const settings = { AUTH_MODE: 'api_key', API_KEYS_FILE: keys, MODEL_DIR: dir, MODEL_FILES: 'shop.yaml,other.yaml' }
  const server = await startServer(config, { process: { PORT: '0', LOG_LEVEL: 'CRITICAL', ...settings }, dotenv: {} })
  t.teardown(() => server.close())
  const ask = (key: string, url = '/v1/models', method: 'GET' | 'POST' = 'GET') =>
    server.app.inject({ method, url, headers: { 'x-api-key': key, host: 'localhost' } })
  const modelsOf = async (key: string) => (await ask(key)).json().models.map(({ name }: { name: string }) => name)
  t.same(await modelsOf(ANN), ['shop', 'other'])
  t.same(await modelsOf(BOB), ['shop'], 'only the models of the entry')
  for (const url of ['/v1/sessions/other/models', '/v1/schema?model=other', '/v1/schema?model_id=other'])
    t.equal((await ask(BOB, url)).statusCode, 404, url)
  t.equal((await ask(BOB, '/v1/schema')).statusCode, 200, 'its only model needs no name')
  t.equal((await ask(ANN, '/v1/cache/clear', 'POST')).statusCode, 200)
  t.equal((await ask(BOB, '/v1/cache/clear', 'POST')).statusCode, 403, 'a file names the administrators')

  const next = `${ANN}5`
  await writeFile(join(dir, 'keys.yaml'), text(next))
  t.equal((await ask(next)).statusCode, 401, 'not before it is read')
  await server.reload()
  t.equal((await ask(next)).statusCode, 200)
  t.equal((await ask(ANN)).statusCode, 401, 'the old key is gone')
  await writeFile(join(dir, 'keys.yaml'), 'a mistake')
  await server.reload()
  t.equal((await ask(next)).statusCode, 200, 'an invalid file changes nothing')
})

t.test('a connection that is open ends with its key, and goes on if its key is unchanged', async (t) => {
  const entry = (name: string, key: string, regions: string) =>
    `- { name: ${name}, key: ${key}, attributes: { regions: [${regions}] } }\n`
  const dir = await folder(t, {
    'keys.yaml': entry('ann', ANN, 'North') + entry('bob', BOB, 'South'),
    'shop.yaml': JSON.stringify({ ...shopModel, name: 'shop' }),
  })
  const settings = { AUTH_MODE: 'api_key', API_KEYS_FILE: 'keys.yaml', MODEL_DIR: dir, MODEL_FILES: 'shop.yaml' }
  const host = await createHost({ plugins: dialects, settings, base: dir }, { environment: { process: {}, dotenv: {} } })
  t.teardown(() => host.close())
  await host.start()
  const of = (key: string) => host.authenticate({ scheme: 'password', value: key })
  const [ann, bob] = [await of(ANN), await of(BOB)]
  const asks = (principal: typeof ann) => host.service.publishedModels(principal).length
  t.same([asks(ann), asks(bob)], [1, 1])
  await writeFile(join(dir, 'keys.yaml'), entry('ann', ANN, 'North') + entry('bob', BOB, 'North'))
  await host.reload()
  t.equal(asks(ann), 1)
  t.throws(() => asks(bob), { code: 'AUTH_INVALID' }, 'its rights are others now')
  t.equal(asks(await of(BOB)), 1)
  await writeFile(join(dir, 'keys.yaml'), entry('bob', BOB, 'North'))
  await host.reload()
  t.throws(() => asks(ann), { code: 'AUTH_INVALID' })
})

t.test('a server with a mistake in the file does not start', async (t) => {
  const dir = await folder(t, { 'keys.yaml': `- { name: ann, key: ${ANN}, rolls: [admin] }` })
  const config = { plugins: ['@grainline/dialect-duckdb', rest as HostPlugin], base: dir }
  const start = (env: Record<string, string>) =>
    startServer(config, {
      process: { PORT: '0', LOG_LEVEL: 'CRITICAL', API_KEYS_FILE: join(dir, 'keys.yaml'), ...env },
      dotenv: {},
    })
  await t.rejects(start({ AUTH_MODE: 'api_key' }), { message: /unknown key 'rolls'/ })
  await t.rejects(start({ AUTH_MODE: 'none' }), { message: /API_KEYS_FILE/ })
})
