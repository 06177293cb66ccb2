/** Real clients of Arrow Flight SQL against a real service: each says for itself what it found. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startFlight } from '../../flight/server.js'

const run = promisify(execFile)
const here = import.meta.dirname
const clients = path.join(here, '.clients')
const jar = existsSync(clients) ? readdirSync(clients).find((file) => file.endsWith('.jar')) : undefined
const python = path.join(clients, 'python/bin/python')
// Arrow reads memory that Java keeps to itself unless it is told not to.
const opened = '--add-opens=java.base/java.nio=ALL-UNNAMED'

interface Client {
  readonly name: string
  /** What must be there; the test is skipped where it is not. */
  readonly needs: string
  readonly command: string
  readonly args: readonly string[]
}

const all: readonly Client[] = [
  { name: 'Python', needs: python, command: python, args: [path.join(here, 'python_clients.py')] },
  {
    name: 'Java',
    needs: path.join(clients, jar ?? 'flight-sql-jdbc-driver.jar'),
    command: 'java',
    args: [opened, '-cp', path.join(clients, jar ?? ''), path.join(here, 'JdbcClient.java')],
  },
  { name: 'Go', needs: path.join(clients, 'go-client'), command: path.join(clients, 'go-client'), args: [] },
  {
    name: 'Node',
    needs: path.join(clients, 'npm/node_modules'),
    command: process.execPath,
    args: [path.join(here, 'npm_client.mjs')],
  },
]
const KEY = 'a_key_of_clients_0123456789abcdef0123456789'

t.setTimeout(600_000)
const server = await startFlight({})
const guarded = await startFlight({ settings: { AUTH_MODE: 'api_key', API_KEYS: [KEY] } })
t.teardown(() => Promise.all([server.close(), guarded.close()]))

for (const { name, needs, command, args } of all) {
  const skip = existsSync(needs) ? false : `${path.relative(here, needs)} is not there; test/interop/flight/install.sh says why`
  for (const [how, address] of [
    ['with a key', [String(guarded.port), KEY]],
    ['without', [String(server.port)]],
  ] as const) {
    t.test(`clients of ${name}, ${how}`, { skip, timeout: 300_000 }, async (t) => {
      const { stdout } = await run(command, [...args, ...address], { cwd: here, maxBuffer: 1 << 24 })
      const checks = stdout.split('\n').filter((line) => line.startsWith('{'))
      t.ok(checks.length > 0, 'something was checked')
      for (const line of checks) {
        const { name: what, ok, ...about } = JSON.parse(line)
        t.ok(ok, what, about)
      }
    })
  }
}
