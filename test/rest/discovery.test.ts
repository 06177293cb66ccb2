import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { compiling, executing, startRest } from './server.js'
import { shopModel, shopQuery } from './shop.js'

const prefix = ({ session, model }: { session: string; model: string }) => `/v1/sessions/${session}/models/${model}`

t.test('fields are found by name, synonym and words, in a session and by the shortcut', async (t) => {
  holds(t, 'route.find')
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const shop = await server.shop()
  const named = await server.post('/v1/find', { query: 'region' })
  t.match(named.body.exact_matches[0], { name: 'Region', kind: 'dimension', score: 1 })
  t.match((await server.post('/v1/find', { query: 'Turnover' })).body.synonym_matches, [{ name: 'Revenue', kind: 'measure' }])
  const slip = await server.post(`${prefix(shop)}/find`, { query: 'revenu per sael', types: ['metric'] })
  t.match(slip.body, {
    query: 'revenu per sael',
    exact_matches: [],
    fuzzy_matches: [{ name: 'Revenue per Sale', kind: 'metric' }],
  })
  t.same(slip.body.results, slip.body.fuzzy_matches)
  t.same(slip.body.unmatched, [], 'each word is like one of a field')
  const supplier = await server.post('/v1/find', { query: 'revenue of each supplier', types: ['dimension', 'measure', 'metric'] })
  t.same(supplier.body.unmatched, ['supplier'])
  t.match(await server.post('/v1/find', { query: 'x', types: ['table'] }), { status: 422, body: { code: 'INVALID_REQUEST' } })
  t.match(await server.post('/v1/find', { qery: 'x' }), { status: 422, body: { code: 'INVALID_REQUEST' } })
})

t.test('the fields that can be added to a query are listed', async (t) => {
  holds(t, 'route.composables')
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const shop = await server.shop()
  const expected = {
    anchorObjects: ['Sales'],
    dimensions: ['Region', 'Sale Id'],
    measures: ['Sales Count'],
    metrics: ['Revenue per Sale'],
    cflMeasures: ['Shops Count'],
    cflMetrics: [],
  }
  const partial = { select: { measures: ['Revenue'] } }
  for (const url of ['/v1/composables', `${prefix(shop)}/composables`]) {
    t.same((await server.post(url, { query: partial })).body, expected, 'a partial query')
    t.same((await server.post(url, partial)).body, expected, 'a bare one')
    t.same((await server.get(`${url}?anchors=Revenue`)).body, expected, 'an anchor')
  }
  const two = await server.get('/v1/composables?anchors=revenue&anchors=Region')
  t.same(two.body, { ...expected, dimensions: ['Sale Id'] })
  t.same((await server.get('/v1/composables')).body.measures, ['Revenue', 'Sales Count', 'Shops Count'])
  t.same((await server.get('/v1/composables?anchors=Shops')).body.anchorObjects, ['Shops'])
  const wrong = await server.get('/v1/composables?anchors=Revenu')
  t.match(wrong, { status: 404, body: { code: 'FIELD_NOT_FOUND', suggestions: ['Revenue'] } })
  const faulty = await server.post('/v1/composables', { query: { select: { dimensions: ['Regin'] } } })
  t.match(faulty, { status: 422, body: { code: 'UNKNOWN_DIMENSION', suggestions: ['Region'] } })
})

t.test('a count of rows names the object whose rows it counts', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  await server.shop()
  t.match((await server.get('/v1/schema')).body.measures, [
    { name: 'Revenue', anchor: undefined },
    { name: 'Sales Count', anchor: 'Sales' },
    { name: 'Shops Count', anchor: 'Shops' },
  ])
})

t.test('a field lists its inputs', async (t) => {
  holds(t, 'route.explain')
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const shop = await server.shop()
  const { body } = await server.get('/v1/explain/revenue%20per%20sale')
  t.match(body, { name: 'Revenue per Sale', type: 'metric' })
  t.same(
    body.lineage.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`),
    ['measure Revenue', 'measure Sales Count', 'column Sales.Amount', 'data_object Sales', 'table Sales'],
  )
  t.match(await server.get(`${prefix(shop)}/explain/Regon`), {
    status: 404,
    body: { code: 'FIELD_NOT_FOUND', suggestions: ['Region'] },
  })
})

t.test('the joins are returned as a graph and as a diagram', async (t) => {
  holds(t, 'route.join-graph', 'route.diagram')
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const shop = await server.shop()
  t.same((await server.get(`${prefix(shop)}/join-graph`)).body, {
    nodes: ['Sales', 'Shops'],
    bridges: [],
    edges: [
      {
        from_object: 'Sales',
        to_object: 'Shops',
        cardinality: 'many-to-one',
        columns_from: ['Shop Id'],
        columns_to: ['Id'],
        secondary: false,
        required: false,
        foreign_key: false,
      },
    ],
  })
  const plain = (await server.get('/v1/diagram/er?show_columns=false&theme=dark')).body.mermaid
  t.equal(plain, '%%{init: {"theme": "dark"}}%%\nerDiagram\n    e1["Sales"]\n    e2["Shops"]\n    e1 }o--o| e2 : "Shop Id"\n')
  const { body } = await server.get('/v1/diagram/er?showColumns=true')
  t.match(body.mermaid, /string Shop_Id FK "Shop Id"/)
  t.match(await server.get('/v1/diagram/er?theme=mine'), { status: 422, body: { code: 'INVALID_REQUEST' } })
})

t.test('answers that depend only on the model have an ETag of its content', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  await server.shop()
  for (const url of [
    '/v1/explain/Revenue',
    '/v1/examples',
    '/v1/join-graph',
    '/v1/diagram/er',
    '/v1/composables?anchors=Revenue',
  ]) {
    const etag = String((await server.get(url)).headers.etag)
    t.match(etag, /^"/, url)
    t.equal((await server.get(url, { 'if-none-match': etag })).status, 304, url)
  }
})

t.test('the values of a dimension are counted, including NULL', async (t) => {
  holds(t, 'route.values')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const shop = await server.shop()
  const all = {
    dimension: 'Region',
    values: [
      { value: 'North', count: 1 },
      { value: 'South', count: 1 },
    ],
    truncated: false,
  }
  t.same((await server.get('/v1/values/region?all=true')).body, all)
  t.same((await server.get(`${prefix(shop)}/values/Region?all=true&limit=1`)).body, {
    ...all,
    values: all.values.slice(0, 1),
    truncated: true,
  })
  t.same((await server.get('/v1/values/Region?search=OUT')).body.values, [{ value: 'South', count: 1 }])
  t.same((await server.get("/v1/values/Region?search=%25'")).body.values, [], 'a search is data')
  t.same((await server.get('/v1/values/Sale%20Id?search=3')).body.values, [{ value: 3, count: 1 }], 'numbers as they are written')
  t.match(await server.get('/v1/values/Reggion'), { status: 404, body: { code: 'FIELD_NOT_FOUND', suggestions: ['Region'] } })
  t.match(await server.get('/v1/values/Region?limit=0'), { status: 422, body: { code: 'INVALID_REQUEST' } })

  const dimensions = { ...shopModel.dimensions, Shop: { dataObject: 'Sales', column: 'Shop Id' } }
  const mine = await server.shop({ dimensions, exposeCounts: false, metrics: {} })
  t.same((await server.get(`${prefix(mine)}/values/Shop`)).body.values, [
    { value: 'a', count: 2 },
    { value: 'b', count: 1 },
    { value: null, count: 1 },
  ])
})

t.test('a value without rows in the main fact is listed if all values are requested', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const code = `(SELECT * FROM (VALUES ('a', 'North'), ('b', 'South'), ('c', 'West')) t (id, region))`
  const { Shops, ...others } = shopModel.dataObjects
  const mine = await server.shop({ dataObjects: { ...others, Shops: { ...Shops, code } } })
  const values = async (how = '') => (await server.get(`${prefix(mine)}/values/Region${how}`)).body.values
  t.same(await values(), [
    { value: 'North', count: 2 },
    { value: 'South', count: 1 },
    { value: null, count: 1 },
  ])
  t.same(await values('?all=true'), [
    { value: 'North', count: 1 },
    { value: 'South', count: 1 },
    { value: 'West', count: 1 },
  ])
})

t.test('without execution there are no values, and the OpenAPI document does not list the route', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const shop = await server.shop()
  for (const url of ['/v1/values/Region', `${prefix(shop)}/values/Region`])
    t.match(await server.get(url), { status: 404, body: { code: 'EXECUTION_DISABLED' } })
  const { paths } = (await server.get('/openapi.json')).body
  t.same(
    Object.keys(paths).filter((path) => path.includes('/values/')),
    [],
  )
})

t.test('answers match the OpenAPI document', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  const { components, paths } = (await server.get('/openapi.json')).body
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const answers = {
    '/v1/find': ['post', await server.post('/v1/find', { query: 'revenue' })],
    '/v1/composables': ['post', await server.post('/v1/composables', shopQuery)],
    '/v1/explain/{name}': ['get', await server.get('/v1/explain/Revenue')],
    '/v1/join-graph': ['get', await server.get('/v1/join-graph')],
    '/v1/diagram/er': ['get', await server.get('/v1/diagram/er')],
    '/v1/values/{name}': ['get', await server.get('/v1/values/Region')],
  } as const
  for (const [path, [method, answer]] of Object.entries(answers)) {
    t.equal(answer.status, 200, `${path} ${answer.text.slice(0, 200)}`)
    const validate = ajv.compile({ components, ...paths[path][method].responses['200'].content['application/json'].schema })
    t.ok(validate(answer.body), `${path} ${ajv.errorsText(validate.errors)}`)
    t.ok(paths[path.replace('/v1', '/v1/sessions/{session_id}/models/{model_id}')]?.[method], path)
  }
})
