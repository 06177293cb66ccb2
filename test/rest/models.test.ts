import t from 'tap'
import { holds } from '../specification/holds.js'
import { startRest } from './server.js'
import { shopModel } from './shop.js'

const invalid = `name: broken
dataObjects:
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int }
dimensions:
  Country: { dataObject: Sale, column: Id }
  Shop: { dataObject: Sales, column: Ix }
`

t.test('a model is loaded, listed, described, read back and removed', async (t) => {
  holds(
    t,
    'route.models.post',
    'route.models.list',
    'route.models.get',
    'route.models.delete',
    'route.models.source',
    'field.model-load',
    'field.model-summary',
    'field.model-description',
    'state.model-count',
  )
  const server = await startRest()
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const counts = { model_id: model, name: 'shop', data_objects: 2, dimensions: 2, measures: 3, metrics: 1 }
  t.same((await server.get(`/v1/sessions/${session}/models`)).body, [counts])
  t.equal((await server.get(`/v1/sessions/${session}`)).body.model_count, 1)
  const url = `/v1/sessions/${session}/models/${model}`
  const { body } = await server.get(url)
  t.match(body, {
    model_id: model,
    description: 'Sales of two shops.',
    data_objects: [{ label: 'Sales', columns: ['Id', 'Shop Id', 'Amount'], join_targets: ['Shops'] }, { label: 'Shops' }],
    health: { data_objects: 2, joins: 1, orphan_data_objects: [] },
  })
  t.match(body.dimensions[0], { name: 'Region', result_type: 'string', data_object: 'Shops', column: 'Region', time_grain: null })
  t.match(body.measures[0], {
    name: 'Revenue',
    aggregation: 'sum',
    columns: [{ data_object: 'Sales', column: 'Amount' }],
    synonyms: ['turnover'],
  })
  t.match(body.metrics[0], { name: 'Revenue per Sale', type: 'derived', component_measures: ['Revenue', 'Sales Count'] })
  t.same(JSON.parse((await server.get(`${url}/source`)).text), shopModel)
  t.equal((await server.delete(url)).status, 204)
  t.match(await server.get(url), { status: 404, body: { code: 'MODEL_NOT_FOUND' } })
  t.equal((await server.get(`/v1/sessions/${session}`)).body.model_count, 0)
})

t.test('the same content is reused, whatever its form, unless a fresh load is requested', async (t) => {
  holds(t, 'state.reused', 'field.model-load.dedup')
  const server = await startRest()
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const load = (body: object) => server.post(`/v1/sessions/${session}/models`, body)
  t.match((await load({ model_json: shopModel })).body, { model_id: model, model_load: 'reused' })
  t.match((await load({ modelJson: JSON.stringify(shopModel) })).body, { model_id: model, model_load: 'reused' })
  t.match((await load({ modelYaml: JSON.stringify(shopModel, null, 2) })).body, { model_id: model, model_load: 'reused' })
  const fresh = (await load({ model_json: shopModel, dedup: false })).body
  t.match(fresh, { model_load: 'fresh', health: { joins: 1 } })
  t.not(fresh.model_id, model)
})

t.test('an invalid model is refused with every error and its position', async (t) => {
  holds(t, 'status.422.model', 'field.error-detail')
  const server = await startRest()
  t.teardown(() => server.close())
  const { session_id: session } = (await server.post('/v1/sessions')).body
  const { status, headers, body } = await server.post(`/v1/sessions/${session}/models`, { model_yaml: invalid })
  t.equal(status, 422)
  t.match(headers['content-type'], /^application\/problem\+json/)
  t.equal(body.code, 'MODEL_INVALID')
  t.match(body.errors[0], { code: 'UNKNOWN_DATA_OBJECT', path: 'dimensions.Country.dataObject', line: 8, suggestions: ['Sales'] })
  t.match(body.errors[1], { code: 'UNKNOWN_COLUMN', path: 'dimensions.Shop.column', line: 9 })
})

t.test('validation answers 200 and stores nothing', async (t) => {
  holds(t, 'route.validate', 'route.session-validate')
  const server = await startRest()
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  t.match(await server.post('/v1/validate', { model_json: shopModel }), { status: 200, body: { valid: true, errors: [] } })
  t.match(await server.post('/v1/validate', { model_yaml: invalid }), {
    status: 200,
    body: { valid: false, errors: [{ code: 'UNKNOWN_DATA_OBJECT' }, {}] },
  })
  t.match(await server.post('/v1/validate', { model_yaml: '{' }), {
    status: 200,
    body: { valid: false, errors: [{ code: 'YAML_PARSE_ERROR', line: 1 }] },
  })
  t.match(await server.post('/v1/validate', { model_yaml: 'name: x', inherits: model }), {
    status: 200,
    body: { valid: false, errors: [{ path: 'inherits' }] },
  })
  const child = {
    model_yaml: 'measures:\n  Biggest: { aggregation: max, columns: [{ dataObject: Sales, column: Amount }] }\n',
    inherits: model,
  }
  t.match(await server.post(`/v1/sessions/${session}/validate`, child), { status: 200, body: { valid: true } })
  t.equal((await server.get(`/v1/sessions/${session}/models`)).body.length, 1)
})

t.test('a model extends fragments and inherits from a model of its session', async (t) => {
  holds(t, 'field.model-load.extends')
  const server = await startRest()
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const load = (body: object) => server.post(`/v1/sessions/${session}/models`, body)
  const fragment = 'measures:\n  Smallest: { aggregation: min, columns: [{ dataObject: Sales, column: Amount }] }\n'
  const extended = await load({ model_json: shopModel, extends: [fragment] })
  t.match(extended, { status: 201, body: { measures: 4, model_load: 'fresh' } })
  const child = 'measures:\n  Biggest: { aggregation: max, columns: [{ dataObject: Sales, column: Amount }] }\n'
  t.match(await load({ model_yaml: child, inherits: model }), { status: 201, body: { measures: 4, dimensions: 2 } })
  t.match(await load({ model_yaml: child, inherits: 'nobody' }), { status: 404, body: { code: 'MODEL_NOT_FOUND' } })
})

t.test('a session has a maximum number of models', async (t) => {
  holds(t, 'status.429.models')
  const server = await startRest({ settings: { MAX_MODELS_PER_SESSION: 1 } })
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const refused = await server.post(`/v1/sessions/${session}/models`, { model_json: { ...shopModel, name: 'other' } })
  t.match(refused, { status: 429, body: { code: 'MODEL_LIMIT' } })
  t.ok(Number(refused.headers['retry-after']) > 0)
  t.equal((await server.post(`/v1/sessions/${session}/models`, { model_json: shopModel })).body.model_id, model)
})

t.test('a request for a model has exactly one document, of bounded size', async (t) => {
  holds(t, 'field.model-load.json', 'field.model-load.length')
  const server = await startRest()
  t.teardown(() => server.close())
  const refused = async (body: object, path: string) => {
    t.match(await server.post('/v1/validate', body), { status: 422, body: { code: 'INVALID_REQUEST', errors: [{ path }] } })
  }
  await refused({}, '')
  await refused({ model_yaml: 'name: x', model_json: {} }, '')
  await refused({ model_yaml: null }, '')
  await refused({ model_yaml: 'x'.repeat(5_000_001) }, 'model_yaml')
  await refused({ model_yaml: 7 }, 'model_yaml')
  await refused({ model_yaml: 'name: x', dedup: true }, 'dedup')
  const faces = `# ${'\u{1F600}'.repeat(2_600_000)}\ndataObjects: {}\n`
  t.equal(
    (await server.post('/v1/validate', { model_yaml: faces })).status,
    200,
    'a character outside of the basic plane counts once',
  )
})

t.test('a nested object needs no code, and its array need not be declared as a column', async (t) => {
  const server = await startRest()
  t.teardown(() => server.close())
  const model_yaml = `dataObjects:
  Invoices: { code: invoices, columns: { Id: { code: id, abstractType: int, primaryKey: true } } }
  Lines: { nestedIn: { dataObject: Invoices, column: line_items }, columns: { Sku: { code: sku, abstractType: string } } }
`
  t.same((await server.post('/v1/validate', { model_yaml })).body, { valid: true, errors: [], warnings: [] })
})

t.test('descriptions of a model have an ETag', async (t) => {
  holds(t, 'error.etag')
  const server = await startRest()
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const url = `/v1/sessions/${session}/models/${model}/schema`
  const first = await server.get(url)
  const again = await server.get(url, { 'if-none-match': String(first.headers.etag) })
  t.equal(again.status, 304)
  t.equal(again.text, '')
})

t.test('lists, details and the whole schema agree; names are found exactly, by case and with suggestions', async (t) => {
  holds(t, 'route.fields', 'route.schema')
  const server = await startRest()
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const at = (path: string) => server.get(`/v1/sessions/${session}/models/${model}${path}`)
  const schema = (await at('/schema')).body
  for (const kind of ['dimensions', 'measures', 'metrics']) {
    const list = (await at(`/${kind}`)).body
    t.same(schema[kind], list)
    for (const item of list) t.same((await at(`/${kind}/${encodeURIComponent(item.name)}`)).body, item)
    t.same((await server.get(`/v1/${kind}`)).body, list, 'the shortcut means the only model there is')
    t.match(await at(`/${kind}/${list[0].name.toUpperCase()}`), { status: 200, body: { name: list[0].name } })
    t.match(await at(`/${kind}/${list[0].name}x`), {
      status: 404,
      body: { code: 'FIELD_NOT_FOUND', suggestions: [list[0].name] },
    })
  }
  t.match(schema.data_objects[0].columns[2], {
    name: 'Amount',
    code: 'amount',
    abstract_type: 'int',
    num_class: 'additive',
    description: 'Euros.',
  })
  t.match((await at('/examples')).body, {
    examples: [{ name: 'by region', description: 'Revenue of every region.', intent_tags: ['revenue'] }],
  })
  t.match(await at('/examples/by%20Regio'), { status: 404, body: { code: 'EXAMPLE_NOT_FOUND', suggestions: ['by region'] } })
})
