import * as Type from 'typebox'
import { fail } from '../errors.js'
import { didYouMean, nearest } from '../nearest.js'
import type { Settings } from '../settings/core-variables.js'
import type { PluginEntryObject, PluginList } from './config.js'
import { readOptions } from './options.js'

/** The values that enable or disable entries before any plugin is loaded. */
export interface Switches {
  readonly settings: Settings
  /** Whether the variable is set, in the environment, `.env` or config. */
  readonly isSet: (name: string) => boolean
}

/** The enabled entries in order, each as an object: presets are flattened, falsy and disabled entries are left out. */
export function activeEntries(list: PluginList, switches: Switches): PluginEntryObject[] {
  return flatten(list)
    .map(asObject)
    .filter((entry) => isEnabled(entry, switches))
}

/** False when one of the variables that `unless` names is set. */
export function applies({ unless }: { readonly unless?: string | readonly string[] }, { isSet }: Switches): boolean {
  return ![unless ?? []].flat().some(isSet)
}

function flatten(list: PluginList): unknown[] {
  return list.flatMap((entry) => (Array.isArray(entry) ? flatten(entry) : entry ? [entry] : []))
}

const Entry = Type.Object(
  {
    use: Type.Unknown(),
    with: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())])),
    optional: Type.Optional(Type.Boolean()),
    ifInstalled: Type.Optional(Type.Boolean()),
    enabled: Type.Optional(Type.Union([Type.Boolean(), Type.String(), Type.Null()])),
    unless: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  },
  { additionalProperties: false },
)

function asObject(entry: unknown): PluginEntryObject {
  if (typeof entry === 'string' || typeof entry === 'function') return { use: entry as string }
  const { use } = (entry ?? {}) as { use?: unknown }
  if (typeof use !== 'function' && (typeof use !== 'string' || use === '')) {
    fail(
      'INVALID_CONFIG',
      `A plugin entry is a package name, a path, a plugin, or an object with 'use'; this is ${JSON.stringify(entry)}`,
      {
        path: 'plugins',
      },
    )
  }
  // The schema copies values; a plugin is a function and stays the same.
  readOptions(
    `Plugin entry ${typeof use === 'string' ? use : '(inline)'}`,
    Entry,
    { ...(entry as object), use: true, with: {} },
    'INVALID_CONFIG',
  )
  return entry as PluginEntryObject
}

function isEnabled(entry: PluginEntryObject, switches: Switches): boolean {
  const enabled = entry.enabled === undefined ? true : entry.enabled
  const on = typeof enabled === 'string' && enabled !== '' ? switchOf(enabled, switches.settings) : Boolean(enabled)
  return on && applies(entry, switches)
}

function switchOf(name: string, settings: Settings): boolean {
  const value = (settings as unknown as Readonly<Record<string, unknown>>)[name]
  if (typeof value === 'boolean') return value
  const flags = Object.keys(settings).filter((key) => typeof settings[key as keyof Settings] === 'boolean')
  return fail('INVALID_CONFIG', `enabled: ${name} is not a true-or-false setting${didYouMean(nearest(name, flags))}`, {
    path: 'plugins',
  })
}
