/** The host: from a config to a running service. */

import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { type Finding, fail } from '../errors.js'
import { firstOf } from '../invariant.js'
import { type Logger, silentLogger } from '../logger.js'
import { coreVariables, type Settings } from '../settings/core-variables.js'
import { type Environment, lookup, readEnvironment } from '../settings/environment.js'
import { type ReadSettings, readSettings, reportSettings } from '../settings/read-settings.js'
import { strayNames } from '../settings/stray-names.js'
import type { Variables } from '../settings/variable.js'
import { idOfWorker } from '../workers/worker-ids.js'
import type { Workers } from '../workers/workers.js'
import { bootPlugins } from './boot.js'
import { builtIn } from './built-in.js'
import type { HostConfig } from './config.js'
import { activeEntries, applies, type Switches } from './entries.js'
import type { Inspection } from './inspection.js'
import { lateFaults } from './late-checks.js'
import { loadPlugins } from './load.js'
import { orderPlugins } from './order.js'
import type { PluginMeta } from './plugin.js'
import type { Surface } from './points.js'
import { Registries } from './registry.js'
import { type RunningHost, runningHost } from './running-host.js'

/** The options of a host besides its configuration. Each has a default. */
export interface HostOptions {
  readonly logger?: Logger
  /** The environment of the process without `.env` if absent. */
  readonly environment?: Environment
  /** Variables that have no effect here; one warning names those that are set. */
  readonly ignored?: readonly string[]
  /** True if the host has a server of its own; surfaces can read this. */
  readonly standalone?: boolean
  /** A command of this machine asks, and nothing listens. */
  readonly local?: boolean
  readonly now?: () => Date
  readonly randomId?: () => string
  /** The other workers of this server, if it has several. */
  readonly workers?: Workers | undefined
}

/** Loads and sets up the plugins of the config. Rejects with a `GrainlineError` that names the plugin, option or variable at fault. */
export async function createHost(config: HostConfig, options: HostOptions = {}): Promise<RunningHost> {
  const { logger = silentLogger, environment = readEnvironment(), ignored = [], workers } = options
  const sources = { environment, config: config.settings ?? {}, ignored }
  const isSet = (name: string) => !ignored.includes(name) && (lookup(environment, name) ?? config.settings?.[name] ?? '') !== ''
  const base = path.resolve(config.base ?? process.cwd())

  // Switches of entries read core's settings; their faults are reported below with those of the plugins.
  const early = readSettings(coreVariables, { ...sources, config: onlyKnown(config.settings ?? {}) })
  const switches: Switches = { settings: early.settings, isSet }
  const entries = activeEntries([{ use: builtIn }, ...config.plugins], switches)
  const plugins = orderPlugins(await loadPlugins(entries, base))

  const table = settingsTable(plugins.loaded)
  const read = readSettings(table, { ...sources, implied: impliedSettings(plugins.loaded) })
  refuse(read.faults)
  const stray = strayNames(Object.keys(table), environment)
  for (const { message, path: variable } of [...read.warnings, ...stray]) logger.warn({ variable }, message)
  warnOfIgnored(ignored, sources, logger)

  const registries = new Registries()
  const { pluginTimeoutMs = 10_000, closeTimeoutMs = 10_000 } = config
  const booted = await bootPlugins(plugins, {
    registries,
    settings: placed(read, base),
    base,
    logger,
    processes: workers?.count ?? 1,
    pluginTimeoutMs,
    closeTimeoutMs,
  })
  const inspect = (): Inspection => ({
    version: booted.root.version,
    plugins: booted.reports(),
    points: registries.owners(),
    open: openRoutes(booted.root.surfaces),
    settings: reportSettings(table, read),
  })
  const ids = workers === undefined ? randomUUID : () => idOfWorker(workers.number)
  const { now = () => new Date(), randomId = ids, standalone = false, local = false } = options
  const preload = (config.preload ?? []).filter((entry) => applies(entry, switches))
  try {
    refuse(lateFaults(booted.root, { isSet, absent: plugins.absent }))
    return runningHost(booted, {
      preload,
      closeTimeoutMs,
      standalone,
      local,
      inspect,
      now,
      randomId,
      workers,
      absent: plugins.absent,
    })
  } catch (error) {
    await booted.close()
    throw error
  }
}

/** A path in the config begins at its folder; one in a variable begins where the process was started, as on a command line. */
function placed({ settings, origins }: ReadSettings, base: string): Settings {
  const { API_KEYS_FILE: file } = settings
  const from = origins.get('API_KEYS_FILE') === 'config' ? base : process.cwd()
  return file === undefined ? settings : { ...settings, API_KEYS_FILE: path.resolve(from, file) }
}

function openRoutes(surfaces: Iterable<Surface>): Inspection['open'] {
  const open = [...surfaces].flatMap((surface) =>
    surface.kind === 'http' && surface.open?.length ? [[surface.name, surface.open]] : [],
  )
  return Object.fromEntries(open)
}

/** One error for all refusals. */
function refuse(faults: readonly Finding[]): void {
  if (faults.length === 0) return
  const messages = faults.map(({ message }) => message)
  const message =
    messages.length === 1 ? firstOf(messages) : `${messages.length} settings are refused\n  ${messages.join('\n  ')}`
  fail(firstOf(faults).code, message, { path: firstOf(faults).path, findings: faults })
}

function onlyKnown(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(coreVariables, name)))
}

function warnOfIgnored(
  ignored: readonly string[],
  sources: { readonly environment: Environment; readonly config: Readonly<Record<string, unknown>> },
  logger: Logger,
): void {
  const set = ignored.filter((name) => lookup(sources.environment, name) !== undefined || sources.config[name] !== undefined)
  if (set.length > 0) logger.warn({ variables: set }, `${set.join(', ')} ${set.length === 1 ? 'has' : 'have'} no effect here`)
}

/** Core's variables and those of the plugins as one table. Throws `DUPLICATE_EXTENSION` naming both owners of one variable. */
function settingsTable(plugins: readonly { readonly meta: PluginMeta }[]): Variables {
  const owners = new Map(Object.keys(coreVariables).map((name) => [name, '@grainline/core']))
  const table: Record<string, Variables[string]> = { ...coreVariables }
  for (const { meta } of plugins) {
    for (const [name, variable] of Object.entries(meta.settings ?? {})) {
      const taken = owners.get(name)
      if (taken !== undefined)
        fail('DUPLICATE_EXTENSION', `Setting ${name} is declared twice: by ${taken} and by ${meta.name}`, {
          hint: 'Leave one of the two plugins out of the config.',
        })
      owners.set(name, meta.name)
      table[name] = variable
    }
  }
  return table
}

/** The features that the loaded plugins switch on. */
function impliedSettings(plugins: readonly { readonly meta: PluginMeta }[]): Partial<Settings> {
  return plugins.some(({ meta }) => meta.implies?.includes('execution')) ? { QUERY_EXECUTE: true } : {}
}
