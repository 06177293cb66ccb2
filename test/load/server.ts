/** A server in a separate process, with measurements from inside. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const sourceFile = (name: string) => path.join(root, `plugins/${name}/src/index.ts`)

/** The settings of a server that also answers the Postgres wire, without a catalogue, and Flight SQL. */
export const WIRES = {
  PGWIRE_ENABLED: 'true',
  PGWIRE_HOST: '127.0.0.1',
  PGWIRE_PORT: '0',
  PGWIRE_CATALOG: 'off',
  FLIGHT_ENABLED: 'true',
  FLIGHT_HOST: '127.0.0.1',
  FLIGHT_PORT: '0',
}

/** The configuration of a server with only REST, over DuckDB with these options. */
export const restConfig = (duckdb: unknown): string =>
  JSON.stringify({
    plugins: [
      ...['dialect-duckdb', 'dialect-postgres', 'semantic-ql', 'format-parquet', 'surface-rest'].map(sourceFile),
      { use: sourceFile('vendor-duckdb'), with: duckdb },
    ],
  })

/** The memory of the server after a garbage collection. */
export interface Watched {
  readonly heapUsed: number
  readonly rss: number
  readonly sockets: number
  /** Timers, listeners, running requests: every open resource that is not a socket. */
  readonly resources: number
  /** The longest time since the last measurement in which its event loop did not turn, for any reason. */
  readonly stallMs: number
  /** The processor time of the thread during the longest block of the event loop. */
  readonly ownStallMs: number
  /** The longest computation in one call from the event loop; one turn may contain many calls. */
  readonly ownCallMs: number
  /** The longest garbage collection in elapsed time. */
  readonly gcMs: number
  /** With WATCH_TURNS in its environment: its longest turns, and the code that ran in them. */
  readonly longest: readonly unknown[]
}

export interface WatchedServer {
  readonly pid: number
  readonly url: string
  /** The port of the Postgres wire; throws if the server does not listen on it. */
  wire(): Promise<number>
  /** The port of Arrow Flight SQL. */
  flight(): Promise<number>
  watch(): Promise<Watched>
  /** Its maximum memory in bytes, if the system reports it. */
  peak(): number | undefined
  /** The current memory of it and its child processes in bytes, if the system reports it. */
  memory(): number | undefined
  kill(signal: NodeJS.Signals): void
  /** The exit code. */
  readonly ended: Promise<number | null>
  readonly log: () => string
}

/** The configuration of a server that also serves the Postgres wire with one model, over DuckDB with these options. */
export const wireConfig = (session: string, model: string, duckdb: unknown): string =>
  JSON.stringify({
    plugins: [
      ...[
        'dialect-duckdb',
        'dialect-postgres',
        'evaluator-duckdb',
        'semantic-ql',
        'surface-rest',
        'surface-pgwire',
        'surface-flight',
      ].map(sourceFile),
      { use: sourceFile('vendor-duckdb'), with: duckdb },
    ],
    preload: [{ session, model }],
  })

export function startWatched(env: Record<string, string> = {}, config = restConfig({})): Promise<WatchedServer> {
  return startWatchedCommand(['serve', '--config', 'config.yaml'], { env, config, listens: /listens? on (http[^,]+), TLS/ })
}

interface WatchedCommand {
  readonly env: Record<string, string>
  readonly config?: string
  /** Finds the address in the output. */
  readonly listens: RegExp
}

/** `grainline …command` as a separate process. */
export async function startWatchedCommand(
  command: readonly string[],
  { env, config = '', listens }: WatchedCommand,
): Promise<WatchedServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'grainline-load-'))
  writeFileSync(path.join(folder, 'config.yaml'), config)
  const args = [
    ...['--conditions=@grainline/source', '--expose-gc', '--require', path.join(root, 'config/threads.cjs')],
    ...['--import', new URL('../bundled.mjs', import.meta.url).href, '--import', new URL('./watch.mjs', import.meta.url).href],
    ...[path.join(root, 'config/bin.mjs'), ...command],
  ]
  // The models that clients send in these tests contain their rows as SQL.
  const limits = { SESSION_RATE_LIMIT: '1000000', QUERY_EXECUTE: 'true', MODEL_SQL: 'allow', LOG_FORMAT: 'json' }
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', ...limits, LOG_LEVEL: 'INFO', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A memory control group of Linux, which limits the server and its child processes.
  if (process.env.MEMORY_GROUP) writeFileSync(path.join(process.env.MEMORY_GROUP, 'cgroup.procs'), String(child.pid))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-200_000)
      child.emit('output')
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    output += `\nthe server ended with ${code ?? signal}`
    return code as number | null
  })
  const find = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(output)
      if (found) return found
      if (child.exitCode !== null) throw new Error(`the server ended:\n${output.slice(-2000)}`)
      await Promise.race([once(child, 'output'), ended])
    }
  }
  const [, url] = await find(listens)
  // A load test that fails must not leave its server running.
  process.once('exit', () => child.kill('SIGKILL'))
  return {
    pid: child.pid!,
    url: url!,
    wire: async () => Number((await find(/listens? on postgres:[^,]+:(\d+), TLS/))[1]),
    flight: async () => Number((await find(/listens? on grpc(?:\+tls)?:[^,]+:(\d+), TLS/))[1]),
    async watch() {
      output = ''
      child.kill('SIGUSR2')
      const [, json] = await find(/WATCH (\{[^\n]+\})/)
      return JSON.parse(json!) as Watched
    },
    peak: () => peakOf(child.pid!),
    memory() {
      const own = shareOf(child.pid!)
      if (own === undefined) return undefined
      const started = readIfThere(`/proc/${child.pid}/task/${child.pid}/children`).trim().split(/\s+/).filter(Boolean)
      return started.reduce((sum, pid) => sum + (shareOf(Number(pid)) ?? 0), own)
    },
    kill: (signal) => void child.kill(signal),
    ended,
    log: () => output,
  }
}

/** The maximum memory of a process in bytes. */
const peakOf = (pid: number) => field(`/proc/${pid}/status`, 'VmHWM')

/** In bytes; of memory that processes share, such as the code of Node and of DuckDB, each counts its part. */
const shareOf = (pid: number) => field(`/proc/${pid}/smaps_rollup`, 'Pss')

function field(file: string, name: string): number | undefined {
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readIfThere(file)) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

/** A process may end at any time. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
