import https from 'node:https'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { selfSigned } from './certificate.js'
import { run, start } from './process.js'

/** A minimal surface that shows that the host alone serves. */
const PLUGIN = `
export default Object.assign(async function ping (host) {
  host.surfaces.register({ name: 'ping', kind: 'http', async routes (app) {
    app.get('/ping', async () => ({ pong: true }))
    app.get('/slow', async () => { host.logger.info('slow begins'); await new Promise((resolve) => setTimeout(resolve, 300)); return { slow: true } })
  } })
  host.onClose(() => { host.logger.info('ping closed') })
}, { [Symbol.for('plugin-meta')]: { name: 'ping', host: '*' } })
`
const CONFIG = 'plugins: [./ping.mjs]\n'
const files = { 'ping.mjs': PLUGIN, 'config.yaml': CONFIG }
const serve = ['serve', '--config', 'config.yaml']
const LISTENS = /listens? on (http[^,]+), TLS/
const addressOf = (line: RegExpExecArray) => line[1]!

const jsonLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

t.test('serve listens, logs one line per request, finishes running requests and stops on SIGTERM', async (t) => {
  holds(t, 'log.request', 'stop.drain', 'tls.line')
  const cwd = t.testdir({ ...files, '.env': 'PORT=0\nLOG_FORMAT=json\nSOMETHING_ELSE=entirely\n' })
  const server = start(t, serve, { cwd })
  const address = addressOf(await server.shows(LISTENS))
  t.same(await (await fetch(`${address}/ping?key=hush`)).json(), { pong: true })
  const slow = fetch(`${address}/slow`)
  await server.shows(/slow begins/)
  await fetch(`${address}/ping`)
  server.signal('SIGTERM')
  t.same(await (await slow).json(), { slow: true }, 'a request at work is answered')
  t.equal(await server.ended, 0)
  const lines = jsonLines(server.stdout())
  t.match(
    lines.filter(({ url }) => url === '/ping'),
    [{ level: 'info', method: 'GET', status: 200, milliseconds: Number, msg: /^GET \/ping 200/ }, { status: 200 }],
  )
  t.equal(lines.filter(({ url }) => url === '/ping').length, 2)
  t.notMatch(server.stdout(), /hush/)
  t.notMatch(server.stdout(), /connections are cut/)
  t.match(lines[0], { level: 'info', msg: /Surface ping listens? on http:\/\/.*, TLS off/ })
  t.match(
    lines.map(({ msg }) => msg),
    /ping closed/,
  )
})

t.test('the REST server speaks TLS with API_TLS_CERT and API_TLS_KEY, and the cloudrun format has no access lines', async (t) => {
  holds(t, 'tls.rest', 'log.format')
  const { cert, key } = selfSigned()
  const cwd = t.testdir({ ...files, 'cert.pem': cert, 'key.pem': key })
  const env = { PORT: '0', LOG_FORMAT: 'cloudrun', API_TLS_CERT: 'cert.pem', API_TLS_KEY: 'key.pem' }
  const server = start(t, serve, { cwd, env })
  const address = addressOf(await server.shows(LISTENS))
  const { port } = new URL(address)
  const body = await new Promise<string>((resolve, reject) => {
    https
      .get({ host: 'localhost', port, path: '/ping', ca: cert }, (answer) => answer.setEncoding('utf8').on('data', resolve))
      .on('error', reject)
  })
  t.equal(body, '{"pong":true}')
  server.signal('SIGINT')
  t.equal(await server.ended, 0)
  const lines = jsonLines(server.stdout())
  t.match(lines[0], { severity: 'INFO', message: /TLS on/, time: String })
  t.notOk(lines.some(({ url }) => url !== undefined))
})

t.test('a stray line of .env does not open the server, and the log names it', async (t) => {
  const settings = `FOO\nAUTH_MODE=api_key\nAPI_KEYS=${'k'.repeat(32)}\nPORT=0\nLOG_FORMAT=json\nMAX_SESSION=7\n`
  for (const [before, line] of [
    ['\uFEFF', 1],
    ['# a comment\n', 2],
  ] as const) {
    const server = start(t, serve, { cwd: t.testdir({ ...files, '.env': before + settings }) })
    const address = addressOf(await server.shows(LISTENS))
    t.equal((await fetch(`${address}/ping`)).status, 401)
    t.match(server.stdout(), new RegExp(`Line ${line} of .env is not NAME=value`))
    t.match(server.stdout(), /MAX_SESSION in .env is not a setting and has no effect; did you mean 'MAX_SESSIONS'/)
    server.signal('SIGTERM')
    t.equal(await server.ended, 0)
  }
})

t.test('all invalid settings are reported together, and nothing listens', async (t) => {
  const cwd = t.testdir(files)
  const env = { AUTH_MODE: 'api_key', PGWIRE_PORT: 'x', API_TLS_CERT: 'cert.pem', MAX_SESSIONS: '0' }
  const { code, stdout, stderr } = await run(t, serve, { cwd, env })
  t.equal(code, 1)
  t.match(stderr, /^INVALID_VARIABLE: 4 settings are refused/)
  for (const sentence of [
    /PGWIRE_PORT must be/,
    /MAX_SESSIONS must be/,
    /API_KEYS is empty/,
    /API_TLS_CERT is set without API_TLS_KEY/,
  ])
    t.match(stderr, sentence)
  t.notMatch(stdout, /listens/)
})

t.test('an enabled surface whose package is missing is refused with the install command', async (t) => {
  const cwd = t.testdir({
    ...files,
    'config.yaml': "plugins: [./ping.mjs, { use: '@grainline/surface-absent', enabled: FLIGHT_ENABLED }]\n",
  })
  const { code, stderr } = await run(t, serve, { cwd, env: { FLIGHT_ENABLED: 'true' } })
  t.equal(code, 1)
  t.match(stderr, /^PLUGIN_NOT_FOUND: .*@grainline\/surface-absent is not installed[\s\S]*npm install @grainline\/surface-absent/)
})

t.test('the error for a port in use names its variable', async (t) => {
  const cwd = t.testdir(files)
  const first = start(t, serve, { cwd, env: { PORT: '0', LOG_FORMAT: 'json' } })
  const { port } = new URL(addressOf(await first.shows(LISTENS)))
  const { code, stderr } = await run(t, serve, { cwd, env: { PORT: port } })
  t.equal(code, 1)
  t.match(stderr, new RegExp(`INVALID_VARIABLE: PORT=${port} on localhost is not available: the port is taken`))
})

t.test('a request that never ends does not prevent the server from stopping', async (t) => {
  holds(t, 'stop.drain')
  const stuck = PLUGIN.replace(
    'host.onClose',
    "host.surfaces.register({ name: 'stuck', kind: 'http', async routes (app) { app.get('/stuck', () => { host.logger.info('stuck begins'); return new Promise(() => {}) }) } })\n  host.onClose",
  )
  const cwd = t.testdir({ 'ping.mjs': stuck, 'config.yaml': `${CONFIG}closeTimeoutMs: 50\n` })
  const server = start(t, serve, { cwd, env: { PORT: '0', LOG_FORMAT: 'json' } })
  const address = addressOf(await server.shows(LISTENS))
  const stuckRequest = fetch(`${address}/stuck`).catch((error: Error) => error)
  await server.shows(/stuck begins/)
  server.signal('SIGTERM')
  t.equal(await server.ended, 0)
  t.ok((await stuckRequest) instanceof Error)
  t.match(server.stdout(), /their connections are cut/)
})

t.test('a signal during the start closes everything that was started', async (t) => {
  const slow = PLUGIN.replace(
    'host.onClose',
    "host.logger.info('setting up'); await new Promise((resolve) => setTimeout(resolve, 300))\n  host.onClose",
  )
  const server = start(t, serve, { cwd: t.testdir({ ...files, 'ping.mjs': slow }), env: { PORT: '0', LOG_FORMAT: 'json' } })
  await server.shows(/setting up/)
  server.signal('SIGTERM')
  t.equal(await server.ended, 0)
  t.match(server.stdout(), /ping closed/)
})
