import path from 'node:path'
import { definePlugin, text } from '@grainline/core'
import { type GrainlineOptions, grainline } from '@grainline/core/fastify'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { NOBODY, plugin } from './support.js'

/** An app with Grainline registered in it, and the messages that it logged. */
function appWith(t: Test, options: GrainlineOptions) {
  const messages: string[] = []
  const app = Fastify({
    logger: {
      level: 'debug',
      stream: { write: (line: string) => void messages.push((JSON.parse(line) as { msg: string }).msg) },
    },
  })
  t.teardown(() => app.close())
  app.register(grainline, options)
  return { app, messages }
}

const ping = plugin('ping', (host) =>
  host.surfaces.register({
    name: 'ping',
    kind: 'http',
    async routes(app) {
      app.addHook('onSend', async (_request, reply) => void reply.header('x-ping', '1'))
      app.setErrorHandler((_error, _request, reply) => reply.code(500).send('ping failed'))
      app.get('/ping', async () => 'pong')
      app.get('/fail', async () => {
        throw new Error('no')
      })
    },
  }),
)

t.test('HTTP surfaces are mounted under the prefix, and their hooks and error handlers apply only there', async (t) => {
  const { app } = appWith(t, { prefix: '/semantic', config: { plugins: [ping] }, environment: NOBODY })
  app.get('/own', async () => 'own')
  app.get('/own-fail', async () => {
    throw new Error('own trouble')
  })
  t.match(await app.inject('/semantic/ping'), { body: 'pong', headers: { 'x-ping': '1' } })
  t.equal((await app.inject('/semantic/fail')).body, 'ping failed')
  t.match((await app.inject('/own')).headers, { 'x-ping': undefined })
  t.match((await app.inject('/own-fail')).json(), { message: 'own trouble' })
  t.equal((await app.inject('/ping')).statusCode, 404)
})

t.test('hooks on the root of the app apply to Grainline too, hooks in a scope do not', async (t) => {
  const seen: string[] = []
  const app = Fastify()
  t.teardown(() => app.close())
  app.addHook('onRequest', async ({ url }) => void seen.push(`root ${url}`))
  app.register(async (scope) => {
    scope.addHook('onRequest', async ({ url }) => void seen.push(`scope ${url}`))
    scope.get('/own', async () => 'own')
  })
  app.register(grainline, { config: { plugins: [ping] }, environment: NOBODY })
  await app.inject('/own')
  await app.inject('/ping')
  t.same(seen, ['root /own', 'scope /own', 'root /ping'])
})

t.test('socket surfaces start when the app is ready and stop when it closes', async (t) => {
  const seen: string[] = []
  const socket = plugin('socket', (host) =>
    host.surfaces.register({
      name: 'socket',
      kind: 'socket',
      start: async () => {
        seen.push('start')
        return { address: 'here:1', stop: async () => void seen.push('stop') }
      },
    }),
  )
  const { app, messages } = appWith(t, { config: { plugins: [socket] }, environment: NOBODY })
  await app.ready()
  t.same(seen, ['start'])
  t.ok(messages.includes('Surface socket listens on here:1, TLS off'))
  await app.close()
  t.same(seen, ['start', 'stop'])
})

t.test('variables for the address and port are ignored in an app, with one warning', async (t) => {
  const environment = { process: { PORT: 'nonsense', API_SERVER_HOST: '0.0.0.0', API_TLS_CERT: 'cert.pem' }, dotenv: {} }
  const { app, messages } = appWith(t, { config: { plugins: [] }, environment })
  await app.ready()
  t.same(
    messages.filter((message) => /no effect/.test(message)),
    ['API_SERVER_HOST, PORT, API_TLS_CERT have no effect here'],
  )
})

t.test('.env is read only when asked for', async (t) => {
  const folder = t.testdir({ '.env': 'ACME_WHERE=from .env\n' })
  const seen: string[] = []
  const acme = definePlugin({
    name: 'acme',
    host: '*',
    settings: { ACME_WHERE: text({ default: 'nowhere', means: 'Where.' }) },
    setup: (host) => void seen.push(host.settings.ACME_WHERE),
  })
  for (const dotenv of [undefined, false, folder]) {
    const { app } = appWith(t, { config: { plugins: [acme] }, ...(dotenv !== undefined && { dotenv }) })
    await app.ready()
  }
  t.same(seen, ['nowhere', 'nowhere', 'from .env'])
})

t.test('the config may be a file', async (t) => {
  const file = path.join(t.testdir({ 'config.yaml': 'plugins: []\nsettings: { MAX_SESSIONS: 3 }\n' }), 'config.yaml')
  const { app } = appWith(t, { config: file, environment: NOBODY })
  await app.ready()
  t.equal(app.grainline.settings.MAX_SESSIONS, 3)
})

t.test('an error of the host is an error of the app, and everything that was open is closed', async (t) => {
  const closed: string[] = []
  const opens = plugin('opens', (host) => {
    host.onClose(() => void closed.push('opens'))
    host.onReady(() => Promise.reject(new Error('not today')))
  })
  const { app } = appWith(t, { config: { plugins: [opens] }, environment: NOBODY })
  await t.rejects(async () => app.ready(), {
    code: 'PLUGIN_FAILED',
    message: /opens failed when the host became ready: not today/,
  })
  await app.close()
  t.same(closed, ['opens'])
  const { app: refused } = appWith(t, { config: { plugins: [], settings: { MAX_SESSIONS: 0 } }, environment: NOBODY })
  await t.rejects(async () => refused.ready(), { code: 'INVALID_VARIABLE', path: 'MAX_SESSIONS' })
})
