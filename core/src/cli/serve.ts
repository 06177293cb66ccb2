import path from 'node:path'
import { type HostConfig, readConfig } from '../host/config.js'
import { startServer } from '../host/server.js'
import { type Environment, lookup, readEnvironment } from '../settings/environment.js'
import { type CommandIo, readFlags, UsageError } from './command.js'

export const flags = { config: { type: 'string' } } as const

/**
 * Serves until SIGTERM or SIGINT, or until the npm that started it has ended; a second signal ends the process at once. SIGHUP reads
 * model files and certificates again.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { config: given } = readFlags(args, flags)
  const file = given === undefined ? io.defaultConfig : path.resolve(io.cwd, given)
  if (file === undefined) throw new UsageError('serve needs --config FILE')
  const environment = readEnvironment({ env: io.env, dotenv: io.cwd })
  return serveUntilEnd(await readConfig(file, (name) => lookup(environment, name)), environment)
}

/** Serves a config as `serve` does. Resolves to the exit code. */
export async function serveUntilEnd(config: HostConfig, environment: Environment): Promise<number> {
  // Before anything is open, so that a signal during the start closes what has been started.
  const signals = watchSignals()
  const parent = parentGone(environment.process)
  try {
    const server = await startServer(config, environment)
    signals.onReload(server.reload)
    if (server.address === undefined) server.app.log.warn('No http surface is loaded: only sockets listen')
    const reason = await Promise.race([signals.first, parent.gone.then(() => 'npm has ended')])
    server.app.log.info(`${reason}: closing`)
    await server.close()
    return 0
  } finally {
    signals.forget()
    parent.forget()
  }
}

interface Signals {
  /** The first SIGTERM or SIGINT; the second ends the process. */
  readonly first: Promise<NodeJS.Signals>
  /** What SIGHUP does, one at a time; before there is anything to do, it does nothing. */
  onReload(run: () => Promise<void>): void
  forget(): void
}

function watchSignals(): Signals {
  const names = ['SIGTERM', 'SIGINT'] as const
  let seen = false
  let listener: NodeJS.SignalsListener = () => undefined
  const first = new Promise<NodeJS.Signals>((resolve) => {
    listener = (signal) => {
      if (seen) process.exit(1)
      seen = true
      resolve(signal)
    }
  })
  let reload: () => Promise<void> = async () => undefined
  let reloading = Promise.resolve()
  const onHangUp = () => {
    reloading = reloading.then(() => reload())
  }
  for (const name of names) process.on(name, listener)
  process.on('SIGHUP', onHangUp)
  return {
    first,
    onReload: (run) => {
      reload = run
    },
    forget: () => {
      for (const name of names) process.off(name, listener)
      process.off('SIGHUP', onHangUp)
    },
  }
}

/**
 * Resolves when the shell that npm started this process in is gone. npm passes a SIGTERM on to that shell, which ends without passing
 * it further, so that `npm start` in a container or under a supervisor would leave the server behind. Never resolves when npm did not
 * start us: whoever else does may well go first.
 */
function parentGone(env: Readonly<Record<string, string | undefined>>): { readonly gone: Promise<void>; forget(): void } {
  const parent = process.ppid
  let timer: NodeJS.Timeout | undefined
  const gone = new Promise<void>((resolve) => {
    if (env.npm_lifecycle_event === undefined) return
    timer = setInterval(() => process.ppid !== parent && resolve(), INTERVAL_MS).unref()
  })
  return { gone, forget: () => clearInterval(timer) }
}

const INTERVAL_MS = 250
