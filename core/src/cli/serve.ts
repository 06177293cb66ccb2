import path from 'node:path'
import { type HostConfig, readConfig } from '../host/config.js'
import { startServer } from '../host/server.js'
import { sessionName } from '../service/preload-models.js'
import { type Environment, lookup, readEnvironment } from '../settings/environment.js'
import { type CommandIo, readArguments, UsageError } from './command.js'
import { serveUntil } from './serve-until.js'
import { parentGone, watchSignals } from './signals.js'
import { withImporter } from './with-importer.js'

export const flags = { config: { type: 'string' }, workers: { type: 'string' }, from: { type: 'string' } } as const

/**
 * Serves until SIGTERM or SIGINT, or until the npm that started it has ended; a second signal ends the process at once. SIGHUP reloads
 * model files and certificates. With `--workers`, so many processes serve. `--from FORMAT [PATH]` serves a model of another product.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const { config: given, workers, from } = values
  const [model = '.', ...more] = positionals
  if (more.length > 0 || (from === undefined && positionals.length > 0))
    throw new UsageError(from === undefined ? 'serve takes no path without --from FORMAT' : 'serve takes one file or folder')
  const count = countOf(workers)
  const file = given === undefined ? io.defaultConfig : path.resolve(io.cwd, given)
  if (file === undefined) throw new UsageError('serve needs --config FILE')
  const environment = readEnvironment({ env: io.env, dotenv: io.cwd })
  const read = await readConfig(file, (name) => lookup(environment, name))
  const config = from === undefined ? read : await servingFrom(read, { format: from, file: path.resolve(io.cwd, model) }, io)
  const ready = (address: string | undefined) => void io.stderr.write(readyLine(address))
  if (count === 1) return serveUntilEnd(config, environment, { serving: io.serving, ready })
  return (await import('./serve-workers.js')).serveWorkers({ count, config, environment, serving: io.serving, ready })
}

/** The config with a model of another product in place of those that it loads itself. */
async function servingFrom(
  config: HostConfig,
  { format, file }: { readonly format: string; readonly file: string },
  io: CommandIo,
): Promise<HostConfig> {
  const session = sessionName(path.basename(file, path.extname(file))) ?? format
  return { ...(await withImporter(config, format, io)), preload: [{ session, model: file, format }] }
}

/** One line for scripts: everything listens. On the standard error, because the log is on the standard output. */
const readyLine = (address: string | undefined): string => `${['READY', address].filter(Boolean).join(' ')}\n`

const MOST_WORKERS = 64

function countOf(given = '1'): number {
  const count = /^\d{1,2}$/.test(given) ? Number(given) : 0
  if (count >= 1 && count <= MOST_WORKERS) return count
  throw new UsageError(`--workers is a number from 1 to ${MOST_WORKERS}, not '${given}'`)
}

interface Listeners {
  /** Both are called once the server listens. */
  readonly serving?: (() => void) | undefined
  readonly ready?: (address: string | undefined) => void
}

/** Serves a config as `serve` does. Resolves to the exit code. */
export async function serveUntilEnd(
  config: HostConfig,
  environment: Environment,
  { serving, ready }: Listeners = {},
): Promise<number> {
  // Before anything is opened, so that a signal during the start closes everything that was started.
  const signals = watchSignals()
  const parent = parentGone(environment.process)
  try {
    const server = await startServer(config, environment)
    signals.onReload(server.reload)
    if (server.address === undefined) server.app.log.warn('No http surface is loaded: only sockets listen')
    serving?.()
    ready?.(server.address)
    return await serveUntil(server, [signals.first, parent.gone.then(() => 'npm has ended')])
  } finally {
    signals.forget()
    parent.forget()
  }
}
