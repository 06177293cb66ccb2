import path from 'node:path'
import { readConfig } from '../host/config.js'
import { createHost } from '../host/host.js'
import type { ModelHandle } from '../service/held-models.js'
import type { SemanticService } from '../service/semantic-service.js'
import { lookup, readEnvironment } from '../settings/environment.js'
import { type CommandIo, UsageError } from './command.js'

export interface ModelFile {
  readonly file: string
  readonly source: string
  readonly config: string | undefined
  /** Runs on the configured database, whatever `QUERY_EXECUTE` says. */
  readonly execution?: boolean
}

/** Loads the model with the plugins of the config, passes it to `use` and closes again. Nothing listens. Rejects with `MODEL_INVALID`. */
export async function withModel<T>(
  { file, source, config: given, execution = false }: ModelFile,
  io: CommandIo,
  use: (service: SemanticService, handle: ModelHandle) => Promise<T>,
): Promise<T> {
  const configFile = given === undefined ? io.defaultConfig : path.resolve(io.cwd, given)
  if (configFile === undefined) throw new UsageError('A config is needed: --config FILE')
  const environment = readEnvironment({ env: execution ? { ...io.env, QUERY_EXECUTE: 'true' } : io.env, dotenv: io.cwd })
  const config = await readConfig(configFile, (name) => lookup(environment, name))
  // Only the given model is loaded, whatever the config preloads.
  const host = await createHost({ ...config, preload: [] }, { environment, ignored: ['MODEL_FILES'], local: true })
  try {
    await host.service.start([{ session: 'model', source, file: path.resolve(io.cwd, file === '-' ? 'model.yaml' : file) }])
    return await use(host.service, host.service.getModel('model', 'model', undefined))
  } finally {
    await host.close()
  }
}
