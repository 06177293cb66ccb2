/** The memory of clients' models is bounded in bytes, so that no number of valid models stops the process. */
import { once } from 'node:events'
import net from 'node:net'
import { getHeapStatistics } from 'node:v8'
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

t.test('the models of a session, and of all sessions, stay within their memory limits', async (t) => {
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

t.test('metadata count as memory, too, and are bounded', async (t) => {
  const server = await startRest()
  t.teardown(() => server.close())
  t.match(await server.post('/v1/sessions', { metadata: { a: 'x'.repeat(10_001) } }), {
    status: 422,
    body: { code: 'INVALID_REQUEST' },
  })
})

t.test('large bodies that arrive at the same time stay within the memory limit together', { timeout: 120_000 }, async (t) => {
  const server = await startRest()
  t.teardown(() => server.close())
  const port = Number(new URL(await server.app.listen({ port: 0, host: '127.0.0.1' })).port)
  const largest = 32 * 1024 * 1024
  const head = `POST /v1/validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${largest}\r\n\r\n`
  const tooMany = Math.ceil(Math.max(64 * 1024 * 1024, getHeapStatistics().heap_size_limit / 8) / largest) + 1
  const sockets = Array.from({ length: tooMany }, () => net.connect({ port, host: '127.0.0.1' }))
  for (const socket of sockets) socket.write(head)
  const [heard] = (await Promise.race(sockets.map((socket) => once(socket, 'data')))) as [Buffer]
  t.match(heard.toString(), /^HTTP\/1\.1 429 .*retry-after: \d+.*MEMORY_LIMIT/is)
  for (const socket of sockets) socket.destroy()
  const send = () => server.post('/v1/validate', { model_yaml: `name: ${'x'.repeat(300_000)}` })
  let { status } = await send()
  // The server learns that they have disconnected when it writes.
  while (status === 429) ({ status } = await send())
  t.equal(status, 200)
})
