import path from 'node:path'
import { readConfig } from '../host/config.js'
import { createHost } from '../host/host.js'
import { lookup, readEnvironment } from '../settings/environment.js'
import { type CommandIo, readFlags, UsageError } from './command.js'

export const flags = { config: { type: 'string' }, json: { type: 'boolean' } } as const

/** Loads the config as `serve` would, shows the loaded plugins, and closes again. Nothing listens. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { config: given, json } = readFlags(args, flags)
  const file = given === undefined ? io.defaultConfig : path.resolve(io.cwd, given)
  if (file === undefined) throw new UsageError('plugins needs --config FILE')
  const environment = readEnvironment({ env: io.env, dotenv: io.cwd })
  const host = await createHost(await readConfig(file, (name) => lookup(environment, name)), { environment })
  try {
    io.stdout.write(json ? `${JSON.stringify(host.inspect(), null, 2)}\n` : host.prettyPrint())
    return 0
  } finally {
    await host.close()
  }
}
