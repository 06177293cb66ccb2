/** Real clients of Arrow Flight SQL with a real service: each prints its results. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { rowsOf } from '../../flight/rows-of.js'
import { type FlightServer, startFlight } from '../../flight/server.js'
import { selfSigned } from '../../host/certificate.js'
import { javaArgs, missingSpark } from '../databricks/spark.js'
import { clients, driver, JAVA_OPTIONS, missing, python } from './installed.js'

const run = promisify(execFile)
const here = import.meta.dirname
const grpcurl = path.join(clients, 'grpcurl')
const java = [...JAVA_OPTIONS, '-cp', `${clients}:${driver}`, 'JdbcClient']

interface Client {
  readonly name: string
  /** The file that must exist; otherwise the test is skipped. */
  readonly needs: string
  readonly command: string
  readonly args: readonly string[]
  readonly tls?: false
}

const all: readonly Client[] = [
  { name: 'Python', needs: python, command: python, args: [path.join(here, 'python_clients.py')] },
  { name: 'Java', needs: path.join(clients, 'JdbcClient.class'), command: 'java', args: java },
  { name: 'Go', needs: path.join(clients, 'go-client'), command: path.join(clients, 'go-client'), args: [] },
  {
    name: 'Node',
    needs: path.join(clients, 'npm/node_modules'),
    command: process.execPath,
    args: [path.join(here, 'npm_client.mjs')],
    tls: false,
  },
]
const KEY = 'a_key_of_clients_0123456789abcdef0123456789'
const withKey = { AUTH_MODE: 'api_key', API_KEYS: [KEY] }

t.setTimeout(600_000)
const folder = mkdtempSync(path.join(tmpdir(), 'grainline-clients-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string): string => {
  writeFileSync(path.join(folder, name), content)
  return path.join(folder, name)
}
const [own, theirs] = [selfSigned(), selfSigned()]
const [authority, certificate, secret] = [
  file('ca.pem', own.cert),
  file('client.pem', theirs.cert),
  file('client.key', theirs.key),
]

const [open, guarded, mutual] = (await Promise.all([
  startFlight({}),
  startFlight({ settings: withKey }),
  startFlight({
    settings: {
      ...withKey,
      FLIGHT_TLS_CERT: authority,
      FLIGHT_TLS_KEY: file('own.key', own.key),
      FLIGHT_TLS_CLIENT_CA: certificate,
    },
  }),
])) as [FlightServer, FlightServer, FlightServer]
t.teardown(() => Promise.all([open.close(), guarded.close(), mutual.close()]))

/** The output of a client, check by check. */
async function checks(t: Test, command: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const { stdout } = await run(command, args, { cwd: here, maxBuffer: 1 << 24, env: { ...process.env, ...env } })
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  t.ok(lines.length > 0, 'something was checked')
  for (const line of lines) {
    const { name, ok, ...about } = JSON.parse(line)
    t.ok(ok, name, about)
  }
}

for (const { name, needs, command, args, tls } of all) {
  const skip = missing(needs)
  t.test(`clients of ${name}, with a key`, { skip }, (t) => checks(t, command, [...args, String(guarded.port), KEY]))
  t.test(`clients of ${name}, without a key`, { skip }, (t) =>
    checks(t, command, [...args, String(open.port)], { CHECKS: 'brief' }),
  )
  if (tls === false) continue
  t.test(`clients of ${name}, with a key and a certificate`, { skip }, (t) =>
    checks(t, command, [...args, String(mutual.port), KEY, authority, certificate, secret], { CHECKS: 'brief' }),
  )
}

t.test('Spark over JDBC', { skip: missingSpark() ?? missing(path.join(clients, 'SparkClient.class')) }, (t) => {
  const args = javaArgs('SparkClient').map((arg) => (arg.endsWith('/jars/*') ? `${arg}:${driver}:${clients}` : arg))
  return checks(t, 'java', [...args, String(guarded.port), KEY])
})

t.test('grpcurl lists the services by reflection, and calls them', { skip: missing(grpcurl) }, async (t) => {
  const authorization = `authorization: Bearer ${KEY}`
  const address = `127.0.0.1:${guarded.port}`
  const say = async (...words: readonly string[]) =>
    (await run(grpcurl, ['-plaintext', '-H', authorization, address, ...words])).stdout
  t.match(await say('list'), /arrow\.flight\.protocol\.FlightService\n/)
  t.match(await say('describe', 'arrow.flight.protocol.FlightService'), /rpc DoGet/)
  t.match(await say('arrow.flight.protocol.FlightService/ListActions'), /CreatePreparedStatement/)
  await t.rejects(run(grpcurl, ['-plaintext', address, 'list']), /API key is required/)
})

t.test('endless answers', async (t) => {
  const init = ['CREATE TABLE numbers AS SELECT 1 AS id', 'CREATE VIEW endless AS SELECT range AS id FROM range(100000000000)']
  const server = await startFlight({
    preload: [{ session: 'numbers', model: '../flight/numbers.yaml' }],
    plugins: [{ use: '@grainline/vendor-duckdb', with: { init } }],
    settings: { DB_POOL_SIZE: 1 },
  })
  t.teardown(() => server.close())
  for (const { name, needs, command, args } of all.slice(0, 2))
    await t.test(`clients of ${name} cancel them, and the only connection is free`, { skip: missing(needs) }, (t) =>
      checks(t, command, [...args, String(server.port)], { CHECKS: 'unending' }),
    )
  await t.test('a client that is killed frees its connection to the database', { skip: missing(python) }, async (t) => {
    const client = await server.connect()
    const reader = spawn(python, [path.join(here, 'python_clients.py'), String(server.port)], {
      env: { ...process.env, CHECKS: 'stuck' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(reader.stdout, 'data')
    reader.kill('SIGKILL')
    t.same(await rowsOf(await client.query('SELECT "Count" FROM numbers')), [[1n]])
  })
})
