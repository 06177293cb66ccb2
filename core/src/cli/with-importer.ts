import type { HostConfig } from '../host/config.js'
import type { CommandIo } from './command.js'
import { pluginsOfConfig, usesOf } from './plugins-of-config.js'

/** A config with the plugin that reads or writes a format (a format `acme-sql` is of the plugin for `acme`), if the distribution has one and the config does not name it. */
export async function withImporter(config: HostConfig, format: string, { defaultConfig }: CommandIo): Promise<HostConfig> {
  if (defaultConfig === undefined) return config
  const { uses } = await pluginsOfConfig(defaultConfig)
  const use = uses.find((name) => typeof name === 'string' && name.endsWith(`/importer-${format.split('-')[0]}`))
  if (typeof use !== 'string' || usesOf(config.plugins).includes(use)) return config
  return { ...config, plugins: [...config.plugins, { use, ifInstalled: true }] }
}
