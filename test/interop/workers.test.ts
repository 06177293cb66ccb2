/** Third-party clients of the Postgres wire and of Flight SQL with a server of two workers: all their checks pass, including cancellation. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { start } from '../host/process.js'
import { python as flightPython, missing } from './flight/installed.js'

const run = promisify(execFile)
const here = import.meta.dirname
const root = path.resolve(here, '../..')

const suites = [
  { surface: 'pgwire', python: path.join(here, 'pgwire/.clients/python/bin/python'), script: 'pgwire/python_clients.py' },
  { surface: 'flight', python: flightPython, script: 'flight/python_clients.py' },
]

t.setTimeout(600_000)
const server = start(t, ['serve', '--config', path.join(root, 'config/demo.yaml'), '--workers', '2'], {
  cwd: t.testdir({}),
  env: {
    PORT: '0',
    LOG_FORMAT: 'json',
    UI_ENABLED: 'false',
    PGWIRE_ENABLED: 'true',
    PGWIRE_HOST: '127.0.0.1',
    PGWIRE_PORT: '0',
    FLIGHT_ENABLED: 'true',
    FLIGHT_PORT: '0',
  },
})
await server.shows(/2 workers serve/)

for (const { surface, python, script } of suites) {
  t.test(`Python clients of ${surface}`, { skip: missing(python), timeout: 300_000 }, async (t) => {
    const [, port] = await server.shows(new RegExp(`Surface ${surface} listens on \\w+://[^:]+:(\\d+)`))
    const { stdout } = await run(python, [path.join(here, script), port!], { cwd: here, maxBuffer: 1 << 24 })
    const checks = stdout.split('\n').filter((line) => line.startsWith('{'))
    t.ok(checks.length > 5, `${checks.length} checks`)
    for (const line of checks) {
      const { name, ok, ...about } = JSON.parse(line)
      t.ok(ok, name, about)
    }
  })
}
