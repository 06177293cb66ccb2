import path from 'node:path'
import { readConfig } from '../host/config.js'
import { lookup, readEnvironment } from '../settings/environment.js'

/** The plugins of a config file, enabled or not, and the folder from which they are resolved. Rejects if the file cannot be read. */
export async function pluginsOfConfig(file: string): Promise<{ readonly uses: readonly unknown[]; readonly base: string }> {
  const environment = readEnvironment({ dotenv: process.cwd() })
  const { plugins, base = path.dirname(file) } = await readConfig(file, (name) => lookup(environment, name))
  return { uses: usesOf(plugins), base }
}

/** What the entries of a list use: names, paths and plugins. */
export function usesOf(plugins: readonly unknown[]): readonly unknown[] {
  const entries = plugins.flat(Number.POSITIVE_INFINITY).filter(Boolean)
  return entries.map((entry) => (typeof entry === 'object' ? (entry as { use?: unknown }).use : entry))
}
