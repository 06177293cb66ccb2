/** Hidden measures and metrics are answered by their names, and no list, search or catalogue has them; a synonym is a name. */
import t from 'tap'
import { compiling, startRest } from './server.js'
import { shopModel } from './shop.js'

const field = { dataObject: 'Sales', column: 'Amount' }
const changes = {
  measures: {
    ...shopModel.measures,
    Takings: { aggregation: 'sum', columns: [field], synonyms: ['Money In'] },
    'Raw Takings': { aggregation: 'sum', columns: [field], hidden: true, synonyms: ['Crude'] },
  },
  metrics: {
    ...shopModel.metrics,
    'Twice Raw': { expression: '{[Raw Takings]} * 2', hidden: true },
    Share: { expression: '{[Takings]} / {[Raw Takings]}' },
  },
}
const HIDDEN = /"Raw Takings"|"Twice Raw"/

t.test('hidden fields are in no list, and are answered', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session, model } = await server.shop(changes)
  const at = `/v1/sessions/${session}/models/${model}`
  for (const path of ['', '/measures', '/metrics', '/dimensions']) {
    const { status, text } = await server.get(`${at}${path}`)
    t.equal(status, 200, path)
    // A metric that is shown names what it is made of.
    t.notMatch(text.replaceAll(/"component_measures":\[[^\]]*\]/g, ''), HIDDEN, path)
  }
  const found = await server.post('/v1/find', { query: 'raw takings', types: ['dimension', 'measure', 'metric'] })
  t.equal(found.status, 200, found.text)
  t.notMatch(found.text, HIDDEN)
  t.notMatch((await server.get('/v1/composables')).text, HIDDEN)
  t.notMatch((await server.get('/v1/composables?anchors=Takings')).text, HIDDEN)
  const ask = (measures: readonly string[]) => server.post('/v1/query/sql', { query: { select: { measures } } })
  t.equal((await ask(['Raw Takings', 'Twice Raw'])).status, 200)
  const unknown = await ask(['Raw Taking'])
  t.match(unknown, { status: 422, body: { code: 'UNKNOWN_MEASURE' } })
  t.notMatch(unknown.text, HIDDEN)
  t.end()
})

t.test('a synonym is a name in queries and in SQL', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  await server.shop(changes)
  const answer = await server.post('/v1/query/sql', { query: { select: { measures: ['money in', 'Turnover'] } } })
  t.match(answer, { status: 200 })
  t.match(
    answer.body.warnings.filter(({ code }: { readonly code: string }) => code === 'SYNONYM_USED'),
    [{ context: { field: 'Takings' } }, { context: { field: 'Revenue' } }],
  )
  const sql = async (text: string) => server.post('/v1/query/semantic-ql/compile', { sql: text })
  const [asked, named] = [await sql('SELECT Region, "Money In" FROM shop'), await sql('SELECT Region, Takings FROM shop')]
  t.equal(asked.status, 200, asked.text)
  t.equal(asked.body.sql, named.body.sql)
  t.match(asked.body.sql, /sales/)
  t.equal((await server.post('/v1/query/sql', { query: { select: { measures: ['Crude'] } } })).status, 422, 'of a hidden field')
  t.end()
})
