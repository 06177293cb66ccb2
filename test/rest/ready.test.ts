/** Whether requests can be answered now, beside whether the process is up. */
import { definePlugin } from '@grainline/core'
import t from 'tap'
import { start } from '../host/process.js'
import { holds } from '../specification/holds.js'
import { dialects, startRest } from './server.js'

t.test('a server that only compiles is ready when its models are loaded', async (t) => {
  const server = await startRest()
  t.teardown(() => server.close())
  t.match(await server.get('/ready'), { status: 200, body: { status: 'ready' } })
})

t.test('a database that does not answer makes the server not ready, and not ill', async (t) => {
  const state = { down: false, asked: 0 }
  const fake = definePlugin({
    name: 'switched',
    host: '*',
    setup: (host) =>
      host.vendors.register({
        name: 'switched',
        dialect: 'postgres',
        connect: async () => ({
          check: async () => {
            state.asked++
            if (state.down) throw new Error('gone')
            return { valid: true as const }
          },
          // biome-ignore lint/correctness/useYield: it fails before its first row
          query: async function* () {
            throw new Error('gone')
          },
          explain: async () => ({ format: 'text' as const, output: '' }),
          timezone: async () => 'UTC',
          close: async () => undefined,
        }),
      }),
  })
  const server = await startRest({ plugins: [...dialects, fake], settings: { QUERY_EXECUTE: true, DB_VENDOR: 'switched' } })
  t.teardown(() => server.close())
  t.equal((await server.get('/ready')).status, 200)
  t.equal((await server.get('/ready')).status, 200)
  t.equal(state.asked, 1, 'an answer counts for a minute')
  await server.shop()
  state.down = true
  t.equal((await server.get('/ready')).status, 200, 'nothing has failed yet')
  t.ok((await server.post('/v1/query/execute', { select: { measures: ['Revenue'] } })).status >= 500)
  t.match(await server.get('/ready'), { status: 503, body: { code: 'NOT_READY' } })
  t.match(await server.get('/health'), { status: 200, body: { status: 'ok' } })
  state.down = false
  let again = await server.get('/ready')
  while (again.status !== 200) again = await server.get('/ready')
  t.same(again.body, { status: 'ready' }, 'asked again in a few seconds')
})

t.test('a served process whose database cannot be reached is not ready', async (t) => {
  holds(t, 'route.ready', 'setting.READY_DATABASE_SECONDS')
  const folder = t.testdir({
    'config.json': JSON.stringify({
      plugins: ['@grainline/dialect-postgres', '@grainline/vendor-postgres', '@grainline/surface-rest'],
      settings: { QUERY_EXECUTE: true, DB_VENDOR: 'postgres', READY_DATABASE_SECONDS: 5 },
    }),
  })
  const env = { PORT: '0', POSTGRES_URL: 'postgres://127.0.0.1:1/nothing' }
  const server = start(t, ['serve', '--config', 'config.json'], { cwd: folder, env })
  const [, url = ''] = await server.shows(/listens? on (http[^,]+), TLS/)
  t.equal((await fetch(`${url}/ready`)).status, 503)
  t.equal((await fetch(`${url}/health`)).status, 200)
})
