import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { compiling, executing, startRest } from './server.js'
import { shopModel } from './shop.js'

const sql = 'SELECT "Region", "Revenue" FROM shop WHERE "Region" IS NOT NULL ORDER BY "Revenue" DESC'

t.test('a statement is answered in its session, by the name of a curated one, and by shortcut', async (t) => {
  holds(t, 'route.semantic-ql', 'curated.named-routes')
  const dir = t.testdir({ 'shop.yaml': JSON.stringify(shopModel) })
  const server = await startRest({ ...executing, settings: { QUERY_EXECUTE: true, MODEL_DIR: dir, MODEL_FILES: 'shop.yaml' } })
  t.teardown(() => server.close())
  for (const url of ['/v1/sessions/shop/query/semantic-ql', '/v1/query/semantic-ql', '/v1/query/semantic-ql?model=SHOP']) {
    const { status, body, headers } = await server.post(url, { sql })
    t.equal(status, 200, url)
    t.same(
      body.rows,
      [
        ['North', '30'],
        ['South', '5'],
      ],
      url,
    )
    t.match(body, { dialect: 'duckdb', row_count: 2, sql: /^SELECT/, physical_tables: Array })
    t.match(headers['server-timing'], /^execute;dur=/)
  }
  const csv = await server.post('/v1/query/semantic-ql?format=csv', { sql })
  t.match(csv.headers['content-type'], /^text\/csv/)
  t.match(csv.text, /North,30/)
})

t.test('a statement is compiled to SQL and to the query object that it means', async (t) => {
  holds(t, 'route.semantic-ql')
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const url = `/v1/sessions/${session}/query/semantic-ql`
  const { status, body } = await server.post(`${url}/compile`, { sql, model_id: model, dialect: 'postgres' })
  t.equal(status, 200)
  t.match(body, { dialect: 'postgres', sql: /^SELECT/, query: { select: Object } })
  const { components, paths } = (await server.get('/openapi.json')).body
  const { schema } = paths['/v1/query/semantic-ql/compile'].post.responses['200'].content['application/json']
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile({ components, ...schema })
  t.ok(validate(body), JSON.stringify(validate.errors))
  t.match(await server.post(url, { sql }), { status: 404, body: { code: 'EXECUTION_DISABLED' } })
  t.notOk(paths['/v1/query/semantic-ql'])
})

t.test('SQL that is not a query of a model is refused by name, with its position', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  const ask = (statement: string) => server.post('/v1/query/semantic-ql', { sql: statement })
  t.match(await ask('SELECT "Regio" FROM shop'), { status: 422, body: { suggestions: ['Region'] } })
  t.match(await ask('DELETE FROM shop'), { status: 422, body: { code: 'WRITE_OPERATION_REJECTED' } })
  t.match(await ask('SELECT FROM FROM'), { status: 422, body: { errors: Array } })
  t.match(await ask(''), { status: 422, body: { code: 'INVALID_REQUEST' } })
})

t.test('a division is in doubles, whatever the declared storage of the column', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { Sales } = shopModel.dataObjects
  const asked = [
    'SELECT "Sale Id" / 2 AS half FROM shop ORDER BY 1',
    'SELECT half FROM (SELECT "Sale Id" / 2 AS half FROM shop) AS t ORDER BY 1',
  ]
  for (const sqlType of [undefined, 'INTEGER', 'BIGINT']) {
    const Id = { ...Sales.columns.Id, ...(sqlType && { sqlType }) }
    const dataObjects = { ...shopModel.dataObjects, Sales: { ...Sales, columns: { ...Sales.columns, Id } } }
    const { session, model } = await server.shop({ dataObjects })
    for (const statement of asked) {
      const { body } = await server.post(`/v1/sessions/${session}/query/semantic-ql`, { sql: statement, model_id: model })
      t.same(body.rows, [[0.5], [1], [1.5], [2]], `${sqlType}: ${statement}`)
    }
  }
})
