/** The configuration: plugins, overrides of settings, models to preload. YAML, or an object in code. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as Type from 'typebox'
import { fail } from '../errors.js'
import { placeOfOffset } from '../model/parse/locate.js'
import { DocumentError, parseYaml } from '../model/parse/yaml.js'
import { coreVariables } from '../settings/core-variables.js'
import { isLoopback } from './door/host-guard.js'
import { readOptions } from './options.js'
import type { HostPlugin } from './plugin.js'
import { unreadable } from './unreadable.js'

/** A package name, a path relative to the config, or the plugin itself. An object can have more keys. */
export type PluginEntry = string | HostPlugin | PluginEntryObject
export interface PluginEntryObject {
  readonly use: string | HostPlugin
  /** The plugin's options. */
  readonly with?: Readonly<Record<string, unknown>>
  /** If it fails, the plugin is left out and the host continues. */
  readonly optional?: boolean
  /** If the package is not installed, the entry is left out, and an error that lacks its plugin shows the command that installs it. */
  readonly ifInstalled?: boolean
  /** Whether the entry is enabled; the name of a true-or-false setting uses that setting. */
  readonly enabled?: boolean | string
  /** Variables that switch the entry off when one of them is set. */
  readonly unless?: string | readonly string[]
}
/** Presets are nested lists; falsy entries are skipped. */
export type PluginList = readonly (PluginEntry | PluginList | false | null | undefined | '')[]

/** A model in a protected session of this name from the start. */
export interface PreloadEntry {
  readonly session: string
  /** File, relative to the config; or a folder in the format of an importer. */
  readonly model: string
  /** The name of the importer that reads it; without it, the text itself shows its format. */
  readonly format?: string
  readonly unless?: string | readonly string[]
}

/** The configuration of a host: its plugins, overrides of settings, and models to load at the start. */
export interface HostConfig {
  readonly plugins: PluginList
  /** Overrides by the names of the variables; the environment overrides them. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly preload?: readonly PreloadEntry[]
  /** Folder that packages and paths resolve from; the working directory when absent. */
  readonly base?: string
  /** Milliseconds that one plugin may take to set up (10,000). */
  readonly pluginTimeoutMs?: number
  /** Milliseconds that one step of closing may take before the next starts (10,000). */
  readonly closeTimeoutMs?: number
}

/**
 * Reads a config file, its `${VAR}` replaced by `variable`. A plain text is read as YAML with its variables replaced (`${PORT}` gives a number), a
 * quoted one stays text, so no value can change the document's shape. Throws `INVALID_CONFIG` with the file and the place.
 */
export async function readConfig(file: string, variable: (name: string) => string | undefined): Promise<HostConfig> {
  const faults: string[] = []
  const document = parsed(file, await readText(file), (text) => substituted(text, variable, faults))
  if (faults.length > 0) fail('INVALID_CONFIG', `${file}: ${faults.join('; ')}`, { path: file })
  const { loopbackSettings, ...config } = readOptions(
    `Config file ${file}`,
    ConfigFile,
    document ?? {},
    'INVALID_CONFIG',
  ) as FileConfig
  const host = variable('API_SERVER_HOST') ?? config.settings?.API_SERVER_HOST ?? coreVariables.API_SERVER_HOST.default
  const settings = { ...config.settings, ...(isLoopback(String(host)) && loopbackSettings) }
  return { ...config, settings, base: path.dirname(path.resolve(file)) }
}

interface FileConfig extends HostConfig {
  /** Settings that apply only while the server listens on a loopback address. */
  readonly loopbackSettings?: Readonly<Record<string, unknown>> | null
}

const Names = Type.Union([Type.String(), Type.Array(Type.String())])
const SettingValues = Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())]))
const milliseconds = Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }))

const ConfigFile = Type.Object(
  {
    plugins: Type.Array(Type.Unknown(), { default: [] }),
    settings: SettingValues,
    loopbackSettings: SettingValues,
    preload: Type.Optional(
      Type.Array(
        Type.Object(
          {
            session: Type.String({ minLength: 1 }),
            model: Type.String({ minLength: 1 }),
            format: Type.Optional(Type.String({ minLength: 1 })),
            unless: Type.Optional(Names),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    pluginTimeoutMs: milliseconds,
    closeTimeoutMs: milliseconds,
  },
  { additionalProperties: false },
)

function parsed(file: string, text: string, spelled: (text: string) => string): unknown {
  try {
    return parseYaml(text, spelled)
  } catch (cause) {
    if (!(cause instanceof DocumentError)) throw cause
    const { line, column } = placeOfOffset(text, cause.offset)
    return fail('INVALID_CONFIG', `${file}: ${cause.message} (line ${line}, column ${column})`, { path: file, cause })
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    return fail('INVALID_CONFIG', `The config file ${file} cannot be read: ${unreadable(file, cause)}`, {
      path: file,
      cause,
    })
  }
}

/**
 * `${VAR}` and `${VAR:-default}` in a text of the config, replaced; `$${` writes `${`. `faults` gets a sentence about each variable that is
 * unset and has no default.
 */
function substituted(text: string, variable: (name: string) => string | undefined, faults: string[]): string {
  if (!text.includes('${')) return text
  return text.replace(reference, (whole, name: string | undefined, fallback: string | undefined) => {
    if (name === undefined) return whole === '$${' ? '${' : whole
    const value = variable(name) ?? fallback
    if (value === undefined) faults.push(`\${${name}} is used but ${name} is not set; write \${${name}:-} if it may be empty`)
    return value ?? ''
  })
}

const reference = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g
