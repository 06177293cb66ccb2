/** Real clients with a real service: each prints its results. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { HostPlugin } from '@grainline/core'
import evaluator from '@grainline/evaluator-duckdb'
import t from 'tap'
import { duckdb, flights, startPgwire } from '../../pgwire/server.js'

const run = promisify(execFile)
const here = import.meta.dirname
const clients = path.join(here, '.clients')
const jar = existsSync(clients) ? readdirSync(clients).find((file) => file.endsWith('.jar')) : undefined

interface Client {
  readonly name: string
  /** The file that must exist, and the message if it does not. */
  readonly needs: string
  readonly command: string
  readonly args: readonly string[]
}

const all: readonly Client[] = [
  {
    name: 'Python',
    needs: path.join(clients, 'python/bin/python'),
    command: path.join(clients, 'python/bin/python'),
    args: [path.join(here, 'python_clients.py')],
  },
  {
    name: 'Node',
    needs: path.join(here, '../node_modules/postgres'),
    command: process.execPath,
    args: [path.join(here, 'node_clients.mjs')],
  },
  {
    name: 'Java',
    needs: path.join(clients, jar ?? 'postgresql.jar'),
    command: 'java',
    args: ['-cp', path.join(clients, jar ?? ''), path.join(here, 'JdbcClient.java')],
  },
]

const python = (folder: string, script: string): Pick<Client, 'needs' | 'command' | 'args'> => {
  const command = path.join(clients, folder, 'bin/python')
  return { needs: command, command, args: [path.join(here, script)] }
}
const program = (file: string): Pick<Client, 'needs' | 'command' | 'args'> => {
  const command = path.join(clients, file)
  return { needs: command, command, args: [] }
}

/** Clients that authenticate with a key, by SCRAM. */
const keyed: readonly Client[] = [
  { name: 'Go', ...program('go-client') },
  { name: 'Rust', ...program('rust-client') },
  { name: 'ODBC', ...python('odbc', 'odbc_client.py') },
  { name: 'DuckDB', ...python('duckdb', 'duckdb_client.py') },
]
const KEY = 'a_key_of_clients_0123456789abcdef0123456789'

t.setTimeout(600_000)
const preload = [...(flights ?? []), { session: 'types', model: '../interop/pgwire/types.yaml' }]
const plugins = [...(duckdb ?? []), evaluator as HostPlugin]
const server = await startPgwire({ plugins })
const guarded = await startPgwire({ plugins, preload, settings: { AUTH_MODE: 'api_key', API_KEYS: [KEY] } })
t.teardown(() => Promise.all([server.close(), guarded.close()]))

for (const { name, needs, command, args } of [...all, ...keyed]) {
  const skip = existsSync(needs) ? false : `${path.relative(here, needs)} is not there; test/interop/install.sh says why`
  const address = keyed.some((client) => client.name === name) ? [String(guarded.port), KEY] : [String(server.port)]
  t.test(`clients of ${name}`, { skip, timeout: 300_000 }, async (t) => {
    const { stdout } = await run(command, [...args, ...address], { cwd: here, maxBuffer: 1 << 24 })
    const checks = stdout.split('\n').filter((line) => line.startsWith('{'))
    t.ok(checks.length > 0, 'something was checked')
    for (const line of checks) {
      const { name: what, ok, ...about } = JSON.parse(line)
      t.ok(ok, what, about)
    }
  })
}

const psql = existsSync('/usr/bin/psql')
t.test('psql', { skip: psql ? false : 'psql is not installed' }, async (t) => {
  const say = async (...args: readonly string[]) => {
    const options = { env: { ...process.env, PGCONNECT_TIMEOUT: '10' } }
    return (await run('psql', ['-X', `postgresql://tester@127.0.0.1:${server.port}/flights`, ...args], options)).stdout
  }
  t.equal(await say('-At', '-c', 'SELECT "Airline" FROM flights ORDER BY 1 LIMIT 1'), 'AirTran Airways Corporation\n')
  const relations = ['flights', 'flights__Hours', 'flights__Planes', 'flights__Weather']
  const listed = relations.map((name) => `flights|${name}|table|postgres`)
  t.same((await say('-At', '-c', '\\d')).trim().split('\n'), listed)
  t.match(await say('-c', '\\d+ flights'), /Status +\| text .*cancelled, late/)
  t.match(await say('-c', '\\dn'), /flights/)
  const looks = '\\l \\l+ \\d+ \\dt+ \\dv \\dn+ \\df \\df+ \\du \\dT \\dT+ \\di \\dp \\dO \\ds \\dx \\dD \\dd \\conninfo'.split(
    ' ',
  )
  await t.resolves(say('-v', 'ON_ERROR_STOP=1', ...looks.flatMap((look) => ['-c', look])), 'every command that looks around')
  t.equal(
    await say('-At', '-c', '\\copy (SELECT "Airline" FROM flights ORDER BY 1 LIMIT 2) TO STDOUT (FORMAT csv)'),
    'AirTran Airways Corporation\nAlaska Airlines Inc.\n',
  )
  t.equal(
    (await say('-At', '-v', 'FETCH_COUNT=100', '-c', 'SELECT "Tail Number" FROM flights LIMIT 450')).trim().split('\n').length,
    450,
  )
})
