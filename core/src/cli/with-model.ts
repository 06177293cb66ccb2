import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fail } from '../errors.js'
import { readConfig } from '../host/config.js'
import { createHost } from '../host/host.js'
import { jsonPlace } from '../query/json-place.js'
import type { ModelHandle, SemanticService } from '../service.js'
import { lookup, readEnvironment } from '../settings.js'
import { type CommandIo, UsageError } from './command.js'

export interface ModelFile {
  readonly file: string
  readonly config: string | undefined
  /** Runs against the configured database, whatever `QUERY_EXECUTE` says. */
  readonly execution?: boolean
}

/** Loads the model with the plugins of the config, hands it to `use` and closes again. Nothing listens. Rejects with `MODEL_INVALID`. */
export async function withModel<T>(
  { file, config: given, execution = false }: ModelFile,
  io: CommandIo,
  use: (service: SemanticService, handle: ModelHandle) => Promise<T>,
): Promise<T> {
  const configFile = given === undefined ? io.defaultConfig : path.resolve(io.cwd, given)
  if (configFile === undefined) throw new UsageError('A config is needed: --config FILE')
  const full = path.resolve(io.cwd, file)
  const source = await readText(full)
  const environment = readEnvironment({ env: execution ? { ...io.env, QUERY_EXECUTE: 'true' } : io.env, dotenv: io.cwd })
  const config = await readConfig(configFile, (name) => lookup(environment, name))
  // The model asked about is the only one, whatever is served elsewhere.
  const host = await createHost({ ...config, preload: [] }, { environment, ignored: ['MODEL_FILES'] })
  try {
    await host.service.start([{ session: 'model', source, file: full }])
    return await use(host.service, host.service.getModel('model', 'model'))
  } finally {
    await host.close()
  }
}

/** The one positional argument and the flags. */
export function readModelArgs<const O extends NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>>(
  command: string,
  args: string[],
  options: O,
): {
  readonly file: string
  readonly values: ReturnType<typeof parseArgs<{ args: string[]; options: O; strict: true; allowPositionals: true }>>['values']
} {
  const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals: true })
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new UsageError(`${command} takes one model file`)
  return { file, values }
}

/** The statement of `--sql`: its text, or `@file` that holds it. */
export const readStatement = (given: string, cwd: string): Promise<string> =>
  given.startsWith('@') ? readText(path.resolve(cwd, given.slice(1))) : Promise.resolve(given)

/** The question of `--query`: JSON, or `@file` that holds it. */
export async function readQuery(command: string, given: string | undefined, cwd: string): Promise<unknown> {
  if (given === undefined) throw new UsageError(`${command} needs --query JSON or --query @file, or --sql TEXT`)
  const text = given.startsWith('@') ? await readText(path.resolve(cwd, given.slice(1))) : given
  try {
    return JSON.parse(text)
  } catch (cause) {
    const { line, column } = jsonPlace(text)
    return fail('BAD_REQUEST', `The query is not well-formed JSON: line ${line}, column ${column} breaks it`, { cause })
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    return fail('INVALID_REQUEST', `${file} cannot be read: ${(cause as Error).message}`, { path: file, cause })
  }
}
