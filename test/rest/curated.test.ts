import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { startRest } from './server.js'
import { shopModel } from './shop.js'

/** A folder of model files, removed when the test ends. */
async function folder(t: { teardown(run: () => unknown): void }, files: Readonly<Record<string, unknown>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'grainline-'))
  t.teardown(() => rm(path, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(path, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return path
}

t.test('models from files are served in protected sessions of their names', async (t) => {
  holds(
    t,
    'curated.names',
    'curated.refuses',
    'curated.named-routes',
    'state.protected',
    'status.403',
    'status.409',
    'route.models.published',
  )
  const dir = await folder(t, {
    'a.yaml': { ...shopModel, name: 'North Shop' },
    'second.yaml': { ...shopModel, name: undefined },
  })
  const server = await startRest({ settings: { MODEL_DIR: dir, MODEL_FILES: 'a.yaml, second.yaml', MAX_SESSIONS: 1 } })
  t.teardown(() => server.close())
  const { body } = await server.get('/v1/models')
  t.equal(body.count, 2)
  t.match(body.models, [{ name: 'North_Shop', data_objects: 2 }, { name: 'second' }])
  server.pass(1e9)
  t.match((await server.get('/v1/sessions/North_Shop')).body, {
    expires_at: '9999-12-31T23:59:59Z',
    max_expires_at: '9999-12-31T23:59:59Z',
    model_count: 1,
  })

  t.match(await server.get('/v1/schema'), { status: 409, body: { code: 'CONFLICT', suggestions: ['North_Shop', 'second'] } })
  t.match((await server.get('/v1/schema?model=second')).body, { model_id: 'second' })
  t.match((await server.get('/v1/schema?model=north_shop')).body, { name: 'North Shop' })
  t.match((await server.get('/v1/schema?model=North%20Shop')).body, { name: 'North Shop' })
  t.match(await server.get('/v1/schema?model=secnd'), { status: 404, body: { code: 'MODEL_NOT_FOUND', suggestions: ['second'] } })

  const { session_id: own } = (await server.post('/v1/sessions')).body
  t.ok(own, 'protected sessions do not count')
  for (const session of ['North_Shop', own]) {
    t.match(await server.post(`/v1/sessions/${session}/models`, { model_json: shopModel }), {
      status: 403,
      body: { code: 'CURATED_MODE' },
    })
  }
  t.match(await server.delete('/v1/sessions/second/models/second'), { status: 403, body: { code: 'CURATED_MODE' } })
  t.match(await server.delete('/v1/sessions/second'), { status: 403, body: { code: 'SESSION_PROTECTED' } })
  t.equal((await server.post('/v1/validate', { model_json: shopModel })).status, 200)
})

t.test('a start with invalid files fails once, with every error of every file', async (t) => {
  holds(t, 'refuse.models', 'refuse.models.collision')
  const dir = await folder(t, {
    'one.yaml':
      'name: one\ndataObjects:\n  Sales: { code: sales, columns: { Id: { code: id } } }\ndimensions:\n  A: { dataObject: Sale, column: Id }\n',
    'two.yaml': 'name: [',
    'good.yaml': shopModel,
    'twin.yaml': { ...shopModel, name: 'Shop' },
  })
  const settings = { MODEL_DIR: dir, MODEL_FILES: 'one.yaml,two.yaml,good.yaml,twin.yaml,missing.yaml' }
  const refusal = await startRest({ settings }).catch((error) => error)
  t.equal(refusal.code, 'MODEL_INVALID')
  const found = refusal.details.findings.map(
    ({ code, context }: { code: string; context: { file: string } }) => `${context.file.slice(dir.length + 1)} ${code}`,
  )
  for (const fault of [
    'one.yaml UNKNOWN_DATA_OBJECT',
    'two.yaml YAML_PARSE_ERROR',
    'twin.yaml INVALID_VARIABLE',
    'missing.yaml INVALID_VARIABLE',
  ]) {
    t.ok(found.includes(fault), fault)
  }
  t.notOk(found.some((fault: string) => fault.startsWith('good.yaml')))
  t.match(refusal.message, /one\.yaml:5:\d+ UNKNOWN_DATA_OBJECT/)
})

t.test('a file inherits only from files in its folder', async (t) => {
  holds(t, 'setting.MODEL_DIR')
  const child =
    'name: child\ninherits: base.yaml\nmeasures:\n  Biggest: { aggregation: max, columns: [{ dataObject: Sales, column: Amount }] }\n'
  const dir = await folder(t, {
    'base.yaml': shopModel,
    'child.yaml': child,
    'out.yaml': 'name: out\ninherits: ../../etc/hostname\n',
    'loop.yaml': 'name: loop\ninherits: loop.yaml\n',
  })
  const server = await startRest({ settings: { MODEL_DIR: dir, MODEL_FILES: 'child.yaml' } })
  t.teardown(() => server.close())
  t.match((await server.get('/v1/models')).body.models, [{ name: 'child', measures: 4, dimensions: 2 }])
  for (const file of ['out.yaml', 'loop.yaml']) {
    const refusal = await startRest({ settings: { MODEL_DIR: dir, MODEL_FILES: file } }).catch((error) => error)
    t.match(refusal.details.findings, [{ code: 'INVALID_SETTING', path: 'inherits' }], file)
  }
})

t.test('a model of the config is served together with the sessions of clients, and does not expire', async (t) => {
  const dir = await folder(t, { 'shop.yaml': shopModel })
  const server = await startRest({ preload: [{ session: 'corner', model: join(dir, 'shop.yaml') }] })
  t.teardown(() => server.close())
  t.match((await server.get('/v1/models')).body, { count: 1, models: [{ name: 'corner', model_id: 'corner' }] })
  t.match(await server.post('/v1/sessions/corner/models', { model_json: shopModel }), {
    status: 403,
    body: { code: 'SESSION_PROTECTED' },
  })
  t.match(await server.delete('/v1/sessions/corner/models/corner'), { status: 403, body: { code: 'SESSION_PROTECTED' } })
  const own = await server.shop({ name: 'mine' })
  t.match((await server.get('/v1/schema')).body, { model_id: 'corner' }, 'a shortcut means the protected one')
  t.match((await server.get(`/v1/schema?session_id=${own.session}`)).body, { name: 'mine' })
})

t.test('shortcuts use the only model of the only session, and require a choice if there are more', async (t) => {
  const server = await startRest()
  t.teardown(() => server.close())
  t.match(await server.get('/v1/schema'), { status: 404, body: { code: 'SESSION_NOT_FOUND' } })
  const { session_id: empty } = (await server.post('/v1/sessions')).body
  t.match(await server.get('/v1/schema'), { status: 404, body: { code: 'MODEL_NOT_FOUND' } })
  await server.delete(`/v1/sessions/${empty}`)
  const { session, model } = await server.shop()
  t.match(await server.get('/v1/schema'), { status: 200, body: { model_id: model } })
  const other = (await server.post(`/v1/sessions/${session}/models`, { model_json: { ...shopModel, name: 'other' } })).body
    .model_id
  t.match(await server.get('/v1/schema'), { status: 409, body: { code: 'CONFLICT', suggestions: [model, other] } })
  t.match(await server.get(`/v1/schema?model_id=${other}`), { status: 200, body: { name: 'other' } })
  t.match(await server.get(`/v1/schema?sessionId=${session}&model=other`), { status: 200, body: { model_id: other } })
  await server.shop()
  t.match(await server.get('/v1/schema'), { status: 409, body: { errors: [{ context: { sessions: [session, String] } }] } })
})
