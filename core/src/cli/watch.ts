import { watch } from 'node:fs'
import path from 'node:path'
import { readConfig } from '../host/config.js'
import { type Server, startServer } from '../host/server.js'
import { lookup, readEnvironment } from '../settings/environment.js'
import { type CommandIo, readArguments, UsageError } from './command.js'
import { report } from './report.js'
import { run as test } from './test.js'
import { run as validate } from './validate.js'

export const flags = { config: { type: 'string' }, serve: { type: 'boolean' } } as const

/**
 * `watch MODEL [--serve]`: validates and tests the model now and whenever a file in its folder changes; with `--serve` a server reloads it.
 * Ends with Ctrl-C.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const [file, ...more] = positionals
  if (file === undefined || file === '-' || more.length > 0) throw new UsageError('watch takes one model file')
  const signal = io.interrupted?.()
  const config = values.config === undefined ? [] : ['--config', values.config]
  const check = async () => (await soundly(validate, [file, ...config], io)) && soundly(test, [file, ...config], io)
  // Before the first check, so that no change is missed.
  const changes = watchFolder(path.dirname(path.resolve(io.cwd, file)))
  let server: Server | undefined
  try {
    await check()
    server = values.serve ? await serve(file, values.config, io) : undefined
    for (let changed = await changes.next(signal); changed !== undefined; changed = await changes.next(signal)) {
      io.stdout.write(`\n${changed} changed\n`)
      await check()
      // An invalid model is not loaded: the server keeps the current one.
      await server?.reload()
    }
    return 0
  } finally {
    changes.close()
    await server?.close()
  }
}

/** True if a command succeeded. Prints the error otherwise. */
async function soundly(
  command: (args: string[], io: CommandIo) => Promise<number>,
  args: string[],
  io: CommandIo,
): Promise<boolean> {
  try {
    return (await command(args, io)) === 0
  } catch (error) {
    report(error, io)
    return false
  }
}

interface Changes {
  /** Names of model files that were written since the last call, when there are any; `undefined` when the signal aborts. */
  next(signal: AbortSignal | undefined): Promise<string | undefined>
  close(): void
}

/** Watches from now on. Several writes in quick succession are one change. */
function watchFolder(folder: string): Changes {
  const changed = new Set<string>()
  let wake = () => {}
  const watcher = watch(folder, (_event, name) => {
    if (name === null || !/\.(ya?ml|json)$/i.test(name)) return
    changed.add(name)
    wake()
  })
  return {
    async next(signal) {
      while (changed.size === 0 && !signal?.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
          signal?.addEventListener('abort', () => resolve(), { once: true })
        })
      }
      const names = [...changed].join(', ')
      changed.clear()
      return signal?.aborted ? undefined : names
    },
    close: () => watcher.close(),
  }
}

async function serve(file: string, config: string | undefined, io: CommandIo): Promise<Server> {
  const from = config === undefined ? io.defaultConfig : path.resolve(io.cwd, config)
  if (from === undefined) throw new UsageError('watch --serve needs --config FILE')
  const environment = readEnvironment({ env: io.env, dotenv: io.cwd })
  const read = await readConfig(from, (name) => lookup(environment, name))
  return startServer({ ...read, preload: [{ session: 'model', model: path.resolve(io.cwd, file) }] }, environment)
}
