import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const START_DEADLINE_MS = 60_000
const root = fileURLToPath(new URL('../..', import.meta.url))

export interface StartedServer {
  readonly url: string
  /** From the start of the process to the line that says that it listens. */
  readonly startMs: number
  /** The process that serves, if npm or a shell is not between. */
  readonly pid: number
  readonly stop: () => Promise<void>
}

type Environment = Readonly<Record<string, string>>

/** As a user runs it: the sources through npm. */
export const npmStart = (env: Environment = {}): Promise<StartedServer> => start('npm', ['start'], env)

export const isBuilt = (): boolean =>
  existsSync(`${root}core/dist/cli/main.js`) && existsSync(`${root}plugins/surface-rest/dist/index.js`)

/** As the published package runs: the bundles, without tsx. */
export const builtStart = (env: Environment = {}, args: readonly string[] = []): Promise<StartedServer> =>
  start(process.execPath, ['config/bin.cjs', 'serve', '--config', 'config/demo.yaml', ...args], env)

/** The baseline: a single route, which returns `answer`. */
export const bareStart = (answer: object, env: Environment = {}): Promise<StartedServer> =>
  start(process.execPath, ['test/bench/bare-server.mjs'], { ANSWER: JSON.stringify(answer), ...env })

/** A single route, which asks DuckDB through its driver, after `INIT`. */
export const driverStart = (statement: { readonly INIT: string; readonly SQL: string }): Promise<StartedServer> =>
  start(process.execPath, ['test/bench/driver-server.mjs'], statement)

/** A separate process group, so that the server below npm ends with it. */
async function start(command: string, args: readonly string[], more: Environment): Promise<StartedServer> {
  const started = performance.now()
  const env = { ...process.env, PORT: '0', LOG_FORMAT: 'json', NODE_OPTIONS: '', ...more }
  const child = spawn(command, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await listening(child)
  return { url, startMs: performance.now() - started, pid: child.pid ?? Number.NaN, stop: () => stop(child) }
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the server did not listen in time')), START_DEADLINE_MS)
    let seen = ''
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}:\n${seen}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      seen = (seen + chunk.toString()).slice(-20_000)
      const address = /listens? on (http:\/\/[^\s,"]+)/.exec(seen)?.[1]
      if (!address) return
      clearTimeout(timer)
      resolve(address)
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null) return
  child.removeAllListeners('exit')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-pid, 'SIGTERM')
  await Promise.race([ended, sleep(5000)])
}
