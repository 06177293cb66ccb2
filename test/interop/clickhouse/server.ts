/**
 * The ClickHouse server of Debian, from 2018, unpacked beside the system and started for one test. It is not used for SQL, which chDB
 * tests, but for the behaviour of a server: rows that stream, statements that are killed, a process that stops.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export interface Server {
  /** The address for the driver: a proxy that removes the settings for which the server is too old. */
  readonly port: number
  /** Queries the server directly, without a session. */
  readonly ask: (sql: string) => Promise<string>
  /** Kills the process. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Parameters of a request that are no settings. */
const OF_THE_PROTOCOL: ReadonlySet<string> = new Set(['query', 'query_id', 'database', 'default_format'])

const root = path.join(process.env['GRAINLINE_ENGINES'] ?? path.join(homedir(), '.cache/grainline/engines'), 'clickhouse-server')

export async function startServer(): Promise<Server | string> {
  if (!existsSync(path.join(root, 'usr/sbin/clickhouse-server')))
    return 'the ClickHouse server is not unpacked here: run test/interop/clickhouse/install.sh'
  const folder = mkdtempSync('/tmp/grainline-clickhouse-')
  const inner = await freePort()
  configure(folder, inner)
  const known = new Set(OF_THE_PROTOCOL)
  const door = createServer((incoming, outgoing) => forward(incoming, outgoing, inner, known))
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null) return
    const gone = new Promise((resolve) => child!.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
  const ask = async (sql: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${inner}/`, { method: 'POST', body: sql })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return text.trim()
  }
  const start = async (): Promise<void> => {
    child = run(folder)
    for (let tries = 0; tries < 200; tries++) {
      if (await ask('SELECT 1').catch(() => false)) return
      await wait(50)
    }
    throw new Error('the ClickHouse server does not answer')
  }
  await start()
  for (const name of (await ask('SELECT name FROM system.settings')).split('\n')) known.add(name)
  return {
    port: (door.address() as AddressInfo).port,
    ask,
    kill,
    start,
    async stop() {
      door.closeAllConnections()
      door.close()
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function run(folder: string): ChildProcess {
  const libraries = ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'].map((part) => path.join(root, part)).join(':')
  const args = ['--library-path', libraries, path.join(root, 'usr/sbin/clickhouse-server'), `--config-file=${folder}/config.xml`]
  return spawn(path.join(root, 'lib64/ld-linux-x86-64.so.2'), args, { cwd: folder, stdio: 'ignore' })
}

function configure(folder: string, port: number): void {
  for (const part of ['data', 'tmp']) mkdirSync(path.join(folder, part))
  writeFileSync(
    path.join(folder, 'config.xml'),
    `<yandex><logger><level>fatal</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
      <http_port>${port}</http_port><listen_host>127.0.0.1</listen_host><path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path>
      <users_config>${folder}/users.xml</users_config><default_profile>default</default_profile>
      <default_database>default</default_database><timezone>UTC</timezone><mark_cache_size>10000000</mark_cache_size></yandex>`,
  )
  writeFileSync(
    path.join(folder, 'users.xml'),
    `<yandex><profiles><default></default></profiles><quotas><default></default></quotas><users><default><password></password>
      <networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>`,
  )
}

/** Forwards all bytes in both directions, but for settings for which the server is too old. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number, known: ReadonlySet<string>): void {
  const url = new URL(incoming.url ?? '/', 'http://door')
  for (const name of [...url.searchParams.keys()]) if (!known.has(name)) url.searchParams.delete(name)
  const { method, headers } = incoming
  const passed = request({ port, host: '127.0.0.1', method, headers, path: url.pathname + url.search }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
    answer.on('aborted', () => outgoing.destroy())
  })
  passed.on('error', () => outgoing.destroy())
  outgoing.on('close', () => passed.destroy())
  incoming.pipe(passed)
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
