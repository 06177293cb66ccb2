/** A MySQL or MariaDB server that was unpacked beside the system, in its own folder, started for one test and removed after it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import { ZONES as GENERATED } from '../../oracle/generate/later-zones.js'

export type Kind = 'mysql' | 'mariadb'

export interface Server {
  /** Its socket; it listens on no port. */
  readonly socket: string
  readonly stop: () => Promise<void>
}

/** Time zones of the corpus, the vendors and the generated queries. Without these CONVERT_TZ returns NULL. */
const ZONES = new Set(['Europe/Paris', 'America/New_York', 'Asia/Kolkata', ...GENERATED])

/** Starts a server with empty databases. If it cannot, returns the reason as a sentence. */
export async function startServer(kind: Kind): Promise<Server | string> {
  const root = path.join(process.env['GRAINLINE_ENGINES'] ?? path.join(homedir(), '.cache/grainline/engines'), kind)
  if (!existsSync(root)) return `${kind} is not unpacked here: run test/interop/install.sh`
  const template = `${root}.data-of-${ZONES.size}-zones`
  if (!existsSync(template)) await prepare(kind, root, template)
  const folder = mkdtempSync(`/tmp/grainline-${kind}-`)
  cpSync(template, path.join(folder, 'data'), { recursive: true })
  return run(kind, root, folder)
}

/** A data folder with the time zones of the tests: created once, and copied for each server. */
async function prepare(kind: Kind, root: string, template: string): Promise<void> {
  const folder = mkdtempSync(`/tmp/grainline-${kind}-`)
  const data = path.join(folder, 'data')
  mkdirSync(data)
  const { file, args, env } = program(kind, root, data)
  if (kind === 'mysql') execFileSync(file, [...args, '--initialize-insecure'], { stdio: 'ignore', env })
  else
    execFileSync(file, [...args, '--bootstrap', '--log-warnings=0'], {
      input: systemTables(root, data),
      stdio: ['pipe', 'ignore', 'ignore'],
      env,
    })
  const server = await run(kind, root, folder)
  if (typeof server === 'string') throw new Error(server)
  const connection = await mysql.createConnection({
    socketPath: server.socket,
    user: 'root',
    database: 'mysql',
    multipleStatements: true,
  })
  for (const zone of ZONES) await connection.query(zoneSql(root, zone))
  await connection.end()
  await halt(server)
  try {
    renameSync(data, template)
  } catch (error) {
    // Another test that started at the same time created it first.
    if (!existsSync(template)) throw error
  }
  rmSync(folder, { recursive: true, force: true })
}

function systemTables(root: string, data: string): string {
  mkdirSync(path.join(data, 'mysql'))
  const shared = (name: string): string => readFileSync(path.join(root, 'usr/share/mysql', name), 'utf8')
  const account = JSON.stringify({
    access: 18446744073709551615n.toString(),
    plugin: 'mysql_native_password',
    authentication_string: '',
  })
  return [
    'use mysql;',
    shared('mysql_system_tables.sql'),
    shared('mysql_performance_tables.sql'),
    shared('mysql_system_tables_data.sql'),
    `REPLACE INTO global_priv VALUES ('localhost', 'root', '${account.replace('"18446744073709551615"', '18446744073709551615')}');`,
  ].join('\n')
}

/** The statements that fill the time zone tables, without those for a client. */
function zoneSql(root: string, zone: string): string {
  const tool = ['mariadb-tzinfo-to-sql', 'mysql_tzinfo_to_sql']
    .map((name) => path.join(root, 'usr/bin', name))
    .find((file) => existsSync(file))!
  const { loader, libraries } = loading(root)
  const text = execFileSync(loader, ['--library-path', libraries, tool, `/usr/share/zoneinfo/${zone}`, zone], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const statements = text.replace(/\/\*M!.*?\*\//gs, '').split(/;\s*\n/)
  return statements.filter((statement) => /^\s*(INSERT|SET @)/i.test(statement)).join(';\n')
}

function loading(root: string): { readonly loader: string; readonly libraries: string } {
  const libraries = path.join(root, 'usr/lib/x86_64-linux-gnu')
  const loader = [
    path.join(libraries, 'ld-linux-x86-64.so.2'),
    path.join(root, 'lib/x86_64-linux-gnu/ld-linux-x86-64.so.2'),
  ].find((file) => existsSync(file))!
  return { loader, libraries: [libraries, path.join(root, 'lib/x86_64-linux-gnu')].join(':') }
}

function program(kind: Kind, root: string, data: string) {
  const { loader, libraries } = loading(root)
  const binary = path.join(root, 'usr/sbin', kind === 'mysql' ? 'mysqld' : 'mariadbd')
  const own =
    kind === 'mysql'
      ? ['--secure-file-priv=NULL', '--mysqlx=OFF', '--performance-schema=OFF', '--skip-log-bin']
      : // The default collation must not affect comparisons.
        [`--plugin-dir=${root}/usr/lib/mysql/plugin`, '--character-set-server=utf8mb4', '--collation-server=utf8mb4_general_ci']
  const args = [
    '--no-defaults',
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    `--basedir=${root}/usr`,
    `--datadir=${data}`,
    `--lc-messages-dir=${root}/usr/share/mysql`,
    '--innodb-buffer-pool-size=64M',
    '--innodb-flush-log-at-trx-commit=0',
    ...own,
  ]
  return { file: loader, args: ['--library-path', libraries, binary, ...args], env: process.env }
}

async function run(kind: Kind, root: string, folder: string): Promise<(Server & { readonly child: ChildProcess }) | string> {
  const socket = path.join(folder, 'socket')
  const { file, args, env } = program(kind, root, path.join(folder, 'data'))
  const child = spawn(file, [...args, '--skip-networking', `--socket=${socket}`, `--pid-file=${folder}/pid`], {
    stdio: 'ignore',
    env,
  })
  const server = { socket, child, stop: async () => {} }
  const stop = async (): Promise<void> => {
    await halt(server)
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; tries < 300 && child.exitCode === null; tries++) {
    const connection = await mysql.createConnection({ socketPath: socket, user: 'root' }).catch(() => undefined)
    if (connection) {
      await connection.end()
      return { ...server, stop }
    }
    await wait(100)
  }
  await stop()
  return `the ${kind} server did not start`
}

async function halt(server: object): Promise<void> {
  const { child } = server as { readonly child: ChildProcess }
  const gone = new Promise((resolve) => child.once('exit', resolve))
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await gone
}
