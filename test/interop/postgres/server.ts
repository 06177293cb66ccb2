/** A PostgreSQL server of this machine in its own folder, started for one test and removed after it. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { missingClient } from '../missing-client.js'

export interface Server {
  /** The folder of its socket. */
  readonly socket: string
  readonly stop: () => Promise<void>
}

/** Starts the newest installed server, also on a port if one is given. If it cannot, returns the reason as a sentence. */
export async function startServer(port?: number): Promise<Server | string> {
  const missing = missingClient('pg')
  if (missing !== undefined) return missing
  const bin = newestInstalled()
  if (!bin) return 'no PostgreSQL server is installed under /usr/lib/postgresql'
  const user = accountOf()
  if (typeof user === 'string') return user
  const folder = mkdtempSync('/tmp/grainline-pg-')
  if (user) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  // A default collation that is not by code point: the text functions of the dialect must work with it.
  execFileSync(
    path.join(bin, 'initdb'),
    [
      '-D',
      data,
      '-A',
      'trust',
      '-U',
      'postgres',
      '-N',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--locale-provider=icu',
      '--icu-locale=en-US',
    ],
    { stdio: 'ignore', ...user },
  )
  const address = port === undefined ? ['listen_addresses='] : ['listen_addresses=127.0.0.1', `port=${port}`]
  const settings = [...address, `unix_socket_directories=${folder}`, 'fsync=off', 'timezone=UTC', 'jit=off']
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    stdio: 'ignore',
    ...user,
  })
  const stop = () => stopServer(server, folder)
  // Its socket exists before it accepts connections.
  const isReady = (): boolean =>
    spawnSync(path.join(bin, 'pg_isready'), ['-q', '-h', folder, '-p', String(port ?? 5432)]).status === 0
  while (server.exitCode === null && server.signalCode === null) {
    if (isReady()) return { socket: folder, stop }
    await wait(100)
  }
  await stop()
  return 'the PostgreSQL server did not start'
}

function newestInstalled(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions
    .map((v) => path.join(root, v, 'bin'))
    .find((bin) => ['initdb', 'postgres', 'pg_isready'].every((program) => existsSync(path.join(bin, program))))
}

/** The server refuses to run as root: then the account of its package is used. Undefined: the current account. */
function accountOf(): { readonly uid: number; readonly gid: number } | undefined | string {
  if (process.getuid?.() !== 0) return undefined
  try {
    const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return 'PostgreSQL does not run as root, and there is no user postgres'
  }
}

async function stopServer(server: ChildProcess, folder: string): Promise<void> {
  const gone = new Promise((resolve) => server.once('exit', resolve))
  if (server.exitCode === null) {
    server.kill('SIGINT')
    await gone
  }
  rmSync(folder, { recursive: true, force: true })
}
