/** Units on the surfaces: in answers, in descriptions, in catalogues. */
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { executing, startRest } from '../rest/server.js'

const model = {
  name: 'money',
  dataObjects: {
    Orders: {
      code: "(SELECT * FROM (VALUES (1, 'EUR', 10.0, 5.0), (2, 'USD', 20.0, 10.0)) v(id, currency, amount, distance))",
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        Currency: { code: 'currency', abstractType: 'string' },
        Amount: { code: 'amount', abstractType: 'float', unit: { column: 'Currency' } },
        Distance: { code: 'distance', abstractType: 'float', unit: 'km' },
      },
    },
  },
  dimensions: { Currency: { dataObject: 'Orders', column: 'Currency' } },
  measures: {
    Revenue: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Amount' }] },
    Kilometres: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Distance' }] },
  },
  metrics: { Rate: { expression: '{[Revenue]} / {[Kilometres]}', description: 'What a kilometre brings.' } },
}
const query = {
  select: { dimensions: ['Currency'], measures: ['Revenue', 'Kilometres', 'Rate'] },
  order_by: [{ field: 'Currency' }],
}
const UNITS = [null, '{Currency}', 'km', '{Currency}/km']

t.test('answers and descriptions over HTTP have units', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { body: opened } = await server.post('/v1/sessions')
  const at = `/v1/sessions/${opened.session_id}`
  const loaded = await server.post(`${at}/models`, { model_json: model })
  t.equal(loaded.status, 201, loaded.text)
  const body = { model_id: loaded.body.model_id, query }
  const answer = await server.post(`${at}/query/execute`, body)
  t.same(
    answer.body.columns.map(({ unit = null }) => unit),
    UNITS,
    answer.text,
  )
  const arrow = await server.app.inject({ method: 'POST', url: `${at}/query/execute?format=arrow`, payload: body })
  t.same(
    tableFromIPC(arrow.rawPayload).schema.fields.map(({ metadata }) => metadata.get('unit') ?? null),
    UNITS,
  )
  const sql = 'SELECT "Currency", MEASURE("Revenue") AS r FROM money GROUP BY 1 ORDER BY 1'
  const stated = await server.post(`${at}/query/semantic-ql`, { model_id: loaded.body.model_id, sql })
  t.same(
    stated.body.columns?.map(({ unit = null }) => unit),
    [null, '{Currency}'],
    stated.text,
  )
  const path = `${at}/models/${loaded.body.model_id}`
  t.match((await server.get(`${path}/measures/Revenue`)).body, { unit: '{[Orders].[Currency]}' })
  t.match((await server.get(`${path}/metrics/Rate`)).body, { unit: '{[Orders].[Currency]}/km' })
  const { data_objects: objects } = (await server.get(`${path}/schema`)).body
  t.match(objects[0].columns[3], { name: 'Distance', unit: 'km' })
  const mixed = await server.post(`${at}/query/execute`, { ...body, query: { select: { measures: ['Revenue'] } } })
  t.match(mixed.body.warnings, [{ code: 'MIXED_UNITS' }])
  t.notOk('unit' in mixed.body.columns[0])
})
