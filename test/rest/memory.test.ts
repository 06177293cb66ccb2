/** What clients hold is bounded in bytes, so that no number of valid models ends the process. */
import t from 'tap'
import { holds } from '../specification/holds.js'
import { compiling, startRest } from './server.js'

/** A valid model of so many columns. */
const wide = (name: string, columns: number) => ({
  model_json: {
    name,
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: Object.fromEntries(Array.from({ length: columns }, (_, i) => [`c${i}`, { code: `c${i}`, abstractType: 'int' }])),
      },
    },
  },
})

t.test('the models of a session, and those of all, take no more memory than they may', async (t) => {
  holds(t, 'setting.SESSION_MAX_MODEL_BYTES')
  const server = await startRest({ ...compiling, settings: { SESSION_MAX_MODEL_BYTES: 250_000, MODELS_MAX_BYTES: 350_000 } })
  t.teardown(() => server.close())
  const open = async () => (await server.post('/v1/sessions')).body.session_id
  const load = (session: string, name: string, columns = 200) =>
    server.post(`/v1/sessions/${session}/models`, wide(name, columns))
  const [one, two] = [await open(), await open()]
  t.equal((await load(one, 'a')).status, 201)
  t.equal((await load(one, 'b')).status, 201)
  const full = await load(one, 'c')
  t.match(full, { status: 429, body: { code: 'MEMORY_LIMIT', detail: /SESSION_MAX_MODEL_BYTES/ } })
  t.ok(Number(full.headers['retry-after']) > 0)
  t.equal((await load(two, 'a')).status, 201, 'what another session holds already takes nothing')
  t.equal((await load(two, 'd', 50)).status, 201)
  t.match(await load(await open(), 'e'), { status: 429, body: { code: 'MEMORY_LIMIT', detail: /MODELS_MAX_BYTES/ } })
  await server.delete(`/v1/sessions/${one}`)
  t.equal((await load(await open(), 'e')).status, 201, 'a session that goes makes room')
})

t.test('metadata are held, too, and bounded', async (t) => {
  const server = await startRest()
  t.teardown(() => server.close())
  t.match(await server.post('/v1/sessions', { metadata: { a: 'x'.repeat(10_001) } }), {
    status: 422,
    body: { code: 'INVALID_REQUEST' },
  })
})
