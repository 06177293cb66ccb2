/** Errors of a plugin's background work, which no code handles. */
import path from 'node:path'
import t, { type Test } from 'tap'
import { pluginOf } from '../../core/src/host/stray-errors.js'
import { holds } from '../specification/holds.js'
import { start } from './process.js'

const PLUGIN = `
const later = (work) => void setTimeout(work, 1)
export default Object.assign(async function acme (host) {
  host.surfaces.register({ name: 'acme', kind: 'http', async routes (app) {
    app.get('/rejects', async () => { later(() => Promise.reject(new Error('a heartbeat was lost'))); return {} })
    app.get('/rejects-text', async () => { later(() => Promise.reject('only a text')); return {} })
    app.get('/throws', async () => { later(() => { throw new Error('a timer failed') }); return {} })
    app.get('/slow', async () => {
      host.logger.info('slow begins')
      await new Promise((resolve) => process.once('uncaughtException', () => setTimeout(resolve, 100)))
      return { slow: true }
    })
  } })
}, { [Symbol.for('plugin-meta')]: { name: 'acme', host: '*' } })
`
const LISTENS = /listens? on (http[^,]+), TLS/

async function served(t: Test, args: readonly string[] = []) {
  const cwd = t.testdir({ 'acme.mjs': PLUGIN, 'config.yaml': 'plugins: [./acme.mjs]\n' })
  const server = start(t, ['serve', '--config', 'config.yaml', ...args], { cwd, env: { PORT: '0', LOG_FORMAT: 'json' } })
  const [, address] = await server.shows(LISTENS)
  const ask = async (route: string) => (await fetch(`${address}${route}`)).json() as Promise<unknown>
  return { server, ask }
}

/** The first line of the log that contains this text. */
const lineOf = (log: string, text: string) =>
  JSON.parse(log.split('\n').find((line) => line.includes(text)) ?? 'null') as Record<string, unknown>

t.test('a failure that a plugin does not handle is logged with the name of the plugin, and the server goes on', async (t) => {
  holds(t, 'error.stray')
  const { server, ask } = await served(t)
  await ask('/rejects')
  await server.shows(/a heartbeat was lost/)
  const line = lineOf(server.stdout(), 'a heartbeat was lost')
  t.match(line, { level: 'error', plugin: 'acme', msg: /^Plugin acme left a failure of its background work unhandled/ })
  await ask('/rejects-text')
  await server.shows(/only a text/)
  t.match(await ask('/nothing'), { status: 404 }, 'the server answers')
  server.signal('SIGTERM')
  t.equal(await server.ended, 0)
})

t.test(
  'an error that a plugin throws in its background work ends the server in order, and the log names the plugin',
  async (t) => {
    holds(t, 'error.stray')
    const { server, ask } = await served(t)
    const slow = ask('/slow')
    await server.shows(/slow begins/)
    await ask('/throws')
    t.same(await slow, { slow: true }, 'a request at work is answered')
    t.equal(await server.ended, 1)
    const line = lineOf(server.stdout(), 'a timer failed')
    t.match(line, { level: 'error', plugin: 'acme', msg: /^Plugin acme threw an error that nothing caught, and the server ends/ })
  },
)

t.test('a worker that ends by such an error is replaced', async (t) => {
  const { server, ask } = await served(t, ['--workers', '2'])
  await server.shows(/2 workers serve/)
  await ask('/throws')
  await server.shows(/Plugin acme threw an error/)
  await server.shows(/Worker \d+ has ended \(exit code 1\)/)
  await server.shows(/Worker 3 serves/)
  server.signal('SIGTERM')
  t.equal(await server.ended, 0)
})

t.test('the plugin of an error is the one whose file, or else whose folder, its stack names first', async (t) => {
  const app = path.resolve('/app')
  const plugins = [
    { name: 'local', from: path.join(app, 'acme.mjs') },
    { name: 'other', from: path.join(app, 'other.mjs') },
    { name: 'packed', from: path.join(app, 'node_modules/packed/dist/index.js') },
    { name: 'inline', from: '(inline)' },
  ]
  const stackOf = (...places: readonly string[]) =>
    Object.assign(new Error('x'), { stack: `Error: x\n${places.map((place) => `    at f (${place}:1:2)`).join('\n')}` })
  t.equal(pluginOf(stackOf(`${app}/other.mjs`), plugins), 'other')
  t.equal(pluginOf(stackOf('node:internal/timers', `file://${app}/acme.mjs`), plugins), 'local')
  t.equal(pluginOf(stackOf(`${app}/node_modules/packed/dist/chunk-1.js`, `${app}/acme.mjs`), plugins), 'packed')
  t.equal(pluginOf(stackOf(`${app}/node_modules/redis/index.js`, `${app}/node_modules/packed/dist/index.js`), plugins), 'packed')
  for (const unknown of [stackOf(`${app}/node_modules/redis/index.js`), stackOf('/elsewhere/x.js'), 'a text', undefined])
    t.equal(pluginOf(unknown, plugins), undefined)
})
