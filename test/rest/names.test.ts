import t from 'tap'
import { compiling, startRest } from './server.js'
import { shopQuery } from './shop.js'

t.test('a name in another case is found if it is unique', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const under = `/v1/sessions/${session}/models/SHOP`
  for (const start of ['/v1', under]) {
    t.match(await server.get(`${start}/dimensions/REGION`), { status: 200, body: { name: 'Region' } })
    t.match(await server.get(`${start}/measures/revenue`), { status: 200, body: { name: 'Revenue' } })
    t.match(await server.get(`${start}/metrics/REVENUE%20per%20sale`), { status: 200, body: { name: 'Revenue per Sale' } })
    t.match(await server.get(`${start}/examples/By%20Region`), { status: 200, body: { name: 'by region' } })
  }
  t.match(await server.get(under), { status: 200, body: { model_id: model } })
  const query = { select: { dimensions: ['rEGION'], measures: ['rEVENUE'] } }
  const asked = await server.post('/v1/query/sql', { query, session_id: session, model: 'Shop', dialect: 'POSTGRES' })
  t.match(asked, { status: 200, body: { dialect: 'postgres' } })
})

t.test('a name that is similar to one of the model is answered with the nearest name', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session } = await server.shop()
  t.match(await server.get(`/v1/sessions/${session}/models/shpo`), { status: 404, body: { suggestions: ['shop'] } })
  t.match(await server.get('/v1/dimensions/Regoin'), { status: 404, body: { suggestions: ['Region'] } })
})

t.test('the error for a name of any length is short', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const long = 'Reve'.repeat(250_000)
  const bodies = [
    { query: shopQuery, session_id: long },
    { query: shopQuery, model_id: long },
    { query: shopQuery, model: long },
    { query: shopQuery, session_id: session, model_id: long },
    { query: shopQuery, dialect: long },
  ]
  for (const body of bodies) {
    const { status, text } = await server.post('/v1/query/sql', body)
    t.ok(status === 404 || status === 400, text.slice(0, 200))
    t.ok(text.length < 2000, `${text.length} characters are answered`)
  }
  const inherited = await server.post(`/v1/sessions/${session}/models`, { model_yaml: 'version: 1', inherits: long })
  t.match(inherited, { status: 404, body: { code: 'MODEL_NOT_FOUND' } })
  t.ok(inherited.text.length < 2000)
  t.equal((await server.get(`/v1/sessions/${session}/models/${model}`)).status, 200)
})
