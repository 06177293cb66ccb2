import { fail } from '../errors.js'
import { coreVariables, type Settings } from '../settings/core-variables.js'
import type { Variables } from '../settings/variable.js'
import type { PluginMeta } from './plugin.js'

/** Core's variables and those of the plugins as one table. Throws `DUPLICATE_EXTENSION` naming both owners of one variable. */
export function settingsTable(plugins: readonly { readonly meta: PluginMeta }[]): Variables {
  const owners = new Map(Object.keys(coreVariables).map((name) => [name, '@grainline/core']))
  const table: Record<string, Variables[string]> = { ...coreVariables }
  for (const { meta } of plugins) {
    for (const [name, variable] of Object.entries(meta.settings ?? {})) {
      const taken = owners.get(name)
      if (taken !== undefined) fail('DUPLICATE_EXTENSION', `Setting ${name} is declared twice: by ${taken} and by ${meta.name}`)
      owners.set(name, meta.name)
      table[name] = variable
    }
  }
  return table
}

/** What the loaded plugins switch on. */
export function impliedSettings(plugins: readonly { readonly meta: PluginMeta }[]): Partial<Settings> {
  return plugins.some(({ meta }) => meta.implies?.includes('execution')) ? { QUERY_EXECUTE: true } : {}
}
