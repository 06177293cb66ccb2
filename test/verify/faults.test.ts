import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { compiling, executing, startRest } from '../rest/server.js'

const values = (columns: string, rows: string) => `(SELECT * FROM (VALUES ${rows}) t (${columns}))`
const model = {
  name: 'faults',
  dataObjects: {
    Orders: {
      code: values('id, shop, big', "(1, 'a', 9e17), (1, 'b', 9e17), (NULL, 'z', 9e17), (4, NULL, 9e17), (5, 'z', 9e17)"),
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        Shop: { code: 'shop', abstractType: 'string' },
        Big: { expression: 'CAST({Raw} AS int)', abstractType: 'int' },
        Raw: { code: 'big', abstractType: 'float' },
      },
      joins: [{ joinType: 'many-to-one', joinTo: 'Shops', columnsFrom: ['Shop'], columnsTo: ['Id'] }],
    },
    Shops: {
      code: values('id, open', "('a', true), ('b', true), ('b', true), ('c', false), ('c', true)"),
      columns: {
        Id: { code: 'id', abstractType: 'string' },
        Open: { code: 'open', abstractType: 'boolean' },
      },
      joins: [{ joinType: 'one-to-one', joinTo: 'Owners', columnsFrom: ['Id'], columnsTo: ['Shop'] }],
    },
    Owners: {
      code: values('shop', "('a'), ('b'), ('c')"),
      columns: { Shop: { code: 'shop', abstractType: 'string', primaryKey: true } },
    },
    Many: {
      code: values('i', Array.from({ length: 2000 }, (_, i) => `(${i})`).join(', ')),
      columns: { I: { code: 'i', abstractType: 'int' } },
    },
    Nowhere: { code: 'no_such_table', columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true } } },
  },
  filters: [{ dataObject: 'Shops', column: 'Open', operator: 'eq', value: true }],
  dimensions: { Each: { dataObject: 'Many', column: 'I' }, Shop: { dataObject: 'Orders', column: 'Shop' } },
  measures: {
    Wide: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Big' }] },
    Narrow: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Big' }], dataType: 'decimal(18, 0)' },
  },
}

t.test('every error in the data is found at its place', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const session = (await server.post('/v1/sessions')).body.session_id
  const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json: model })
  t.equal(loaded.status, 201, loaded.text)
  const { status, body } = await server.post(`/v1/sessions/${session}/models/${loaded.body.model_id}/verify`)
  t.equal(status, 200)
  t.same(
    body.findings.map(({ code, severity, path }: Record<string, string>) => [code, severity, path]),
    [
      ['DATABASE_ERROR', 'error', 'dataObjects.Nowhere'],
      ['VERIFY_DUPLICATE_KEY', 'error', 'dataObjects.Orders'],
      ['VERIFY_NULL_KEY', 'error', 'dataObjects.Orders'],
      ['VERIFY_CARDINALITY', 'error', 'dataObjects.Orders.joins[0]'],
      ['VERIFY_CARDINALITY', 'error', 'dataObjects.Shops.joins[0]'],
      ['VERIFY_ORPHANS', 'warning', 'dataObjects.Orders.joins[0]'],
      ['VERIFY_OVERFLOW_RISK', 'warning', 'measures.Narrow'],
      ['VERIFY_HIGH_CARDINALITY', 'warning', 'dimensions.Each'],
    ],
  )
  for (const finding of body.findings) t.ok(finding.line > 0 && finding.column > 0, `${finding.path} has its place`)
  for (const finding of body.findings.filter(({ code }: { code: string }) => code.startsWith('VERIFY_'))) t.ok(finding.hint)
  t.match(body.objects[0], { name: 'Orders', rows: 5, duplicate_keys: 1, null_keys: 1, examples: [1] })
  t.match(body.edges[0], {
    foreign_key: 'no',
    rows: 5,
    without_parent: 2,
    missing_parents: 1,
    null_links: 1,
    duplicate_targets: 1,
    examples: ['z'],
    duplicate_examples: ['b'],
  })
  t.match(
    body.edges[1],
    { foreign_key: 'possible', duplicate_targets: 0, duplicate_sources: 1, duplicate_examples: ['b'] },
    'a filter hides the closed shop',
  )
  t.match(body.dimensions[1], { name: 'Each', distinct: 2000, rows: 2000 })

  const { components, paths } = (await server.get('/openapi.json')).body
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const path of ['/v1/verify', '/v1/sessions/{session_id}/models/{model_id}/verify']) {
    const validate = ajv.compile({ components, ...paths[path].post.responses['200'].content['application/json'].schema })
    t.ok(validate(body), `${path} ${ajv.errorsText(validate.errors)}`)
  }
})

t.test('the shortcut uses the only model, and a valid one has no findings', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  t.match(await server.post('/v1/verify'), { status: 200, body: { model: 'shop', status: 'ok', findings: [] } })
  t.match(await server.post('/v1/verify?model_id=none'), { status: 404, body: { code: 'MODEL_NOT_FOUND' } })
})

t.test('without execution the routes say so, and the OpenAPI document does not list them', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session, model: id } = await server.shop()
  for (const url of ['/v1/verify', `/v1/sessions/${session}/models/${id}/verify`]) {
    t.match(await server.post(url), { status: 404, body: { code: 'EXECUTION_DISABLED' } })
  }
  const { paths } = (await server.get('/openapi.json')).body
  t.same(
    Object.keys(paths).filter((path) => path.endsWith('/verify')),
    [],
  )
})

t.test('the warning about many values is gone for a dimension with bins', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const session = (await server.post('/v1/sessions')).body.session_id
  const dimensions = { ...model.dimensions, Each: { ...model.dimensions.Each, bins: { size: 500 } } }
  const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json: { ...model, dimensions } })
  t.equal(loaded.status, 201, loaded.text)
  const { body } = await server.post(`/v1/sessions/${session}/models/${loaded.body.model_id}/verify`)
  t.notOk(body.findings.some(({ code }: { code: string }) => code === 'VERIFY_HIGH_CARDINALITY'))
  const unseen = { ...model.dimensions, Each: { ...model.dimensions.Each, hidden: true } }
  const hidden = await server.post(`/v1/sessions/${session}/models`, {
    model_json: { ...model, name: 'hidden', dimensions: unseen },
  })
  const found = (await server.post(`/v1/sessions/${session}/models/${hidden.body.model_id}/verify`)).body.findings
  t.notOk(
    found.some(({ code }: { code: string }) => code === 'VERIFY_HIGH_CARDINALITY'),
    'nor for one that is hidden',
  )
})
