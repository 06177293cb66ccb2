/** The host: from a config to a running service. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Finding, fail, GrainlineError } from '../errors.js'
import { type Logger, silentLogger } from '../logger.js'
import { createService, type SemanticService } from '../service.js'
import { coreVariables, type Environment, lookup, readEnvironment, readSettings, reportSettings } from '../settings.js'
import { type Booted, bootPlugins } from './boot.js'
import { builtIn } from './built-in.js'
import { closeStep } from './closing.js'
import type { HostConfig, PreloadEntry } from './config.js'
import { activeEntries, applies, type Switches } from './entries.js'
import { type Inspection, prettyPrint } from './inspection.js'
import { lateFaults } from './late-checks.js'
import { loadPlugins } from './load.js'
import { orderPlugins } from './order.js'
import type { Host } from './plugin.js'
import type { Authenticator, Surface, SurfaceContext } from './points.js'
import { Registries } from './registry.js'
import { impliedSettings, settingsTable } from './settings-table.js'

export interface HostOptions {
  readonly logger?: Logger
  /** The process's own and no `.env` when absent. */
  readonly environment?: Environment
  /** Variables that have no effect here; one warning names those that somebody set. */
  readonly ignored?: readonly string[]
  readonly now?: () => Date
  readonly randomId?: () => string
}

export interface RunningHost extends Host {
  readonly service: SemanticService
  /** The authenticator that `AUTH_MODE` chose. */
  readonly authenticate: Authenticator['authenticate']
  /** What a surface is given. */
  contextFor(surface: Surface): SurfaceContext
  /** Preloads models, runs ready hooks, starts the surfaces that own a listener. Once only. */
  start(): Promise<void>
  /** Stops surfaces, the service and plugins, in reverse order. Never rejects; may be called again. */
  close(): Promise<void>
  inspect(): Inspection
  prettyPrint(): string
}

/** Loads and sets up what the config lists. Rejects with a `GrainlineError` that names the plugin, option or variable at fault. */
export async function createHost(config: HostConfig, options: HostOptions = {}): Promise<RunningHost> {
  const { logger = silentLogger, environment = readEnvironment(), ignored = [] } = options
  const sources = { environment, config: config.settings ?? {}, ignored }
  const isSet = (name: string) => !ignored.includes(name) && (lookup(environment, name) ?? config.settings?.[name] ?? '') !== ''
  const base = path.resolve(config.base ?? process.cwd())

  // Switches of entries ask core's settings; their faults are reported with those of the plugins, below.
  const early = readSettings(coreVariables, { ...sources, config: onlyKnown(config.settings ?? {}) })
  const switches: Switches = { settings: early.settings, isSet }
  const entries = activeEntries([{ use: builtIn }, ...config.plugins], switches)
  const plugins = orderPlugins(await loadPlugins(entries, base))

  const table = settingsTable(plugins.loaded)
  const read = readSettings(table, { ...sources, implied: impliedSettings(plugins.loaded) })
  refuse(read.faults)
  for (const { message, path: variable } of read.warnings) logger.warn({ variable }, message)
  warnOfIgnored(ignored, sources, logger)

  const registries = new Registries()
  const { pluginTimeoutMs = 10_000, closeTimeoutMs = 10_000 } = config
  const booted = await bootPlugins(plugins.loaded, plugins.failed, {
    registries,
    settings: read.settings,
    base,
    logger,
    pluginTimeoutMs,
    closeTimeoutMs,
  })
  try {
    refuse(lateFaults(booted.root, isSet))
  } catch (error) {
    await booted.close()
    throw error
  }
  const preload = (config.preload ?? []).filter((entry) => applies(entry, switches))
  const inspect = (): Inspection => ({
    version: booted.root.version,
    plugins: booted.reports(),
    points: registries.owners(),
    settings: reportSettings(table, read),
  })
  return running(booted, { base, preload, closeTimeoutMs, inspect, options })
}

interface Parts {
  readonly base: string
  readonly preload: readonly PreloadEntry[]
  readonly closeTimeoutMs: number
  readonly inspect: () => Inspection
  readonly options: HostOptions
}

function running(booted: Booted, { base, preload, closeTimeoutMs, inspect, options }: Parts): RunningHost {
  const { root } = booted
  const { logger, settings } = root
  const { now = () => new Date(), randomId = randomUUID } = options
  const { dialects, vendors, functions, aggregates } = root
  const service = createService({ settings, logger, dialects, vendors, functions, aggregates, now, randomId })
  const { authenticate } = root.authenticators.get(settings.AUTH_MODE)
  const stops: { readonly what: string; readonly run: () => Promise<void> }[] = []
  let starting: Promise<void> | undefined
  let closing: Promise<void> | undefined

  const contextFor = (surface: Surface): SurfaceContext => ({
    service,
    settings,
    authenticate,
    logger: logger.child({ surface: surface.name }),
  })

  async function start(): Promise<void> {
    await service.start(await Promise.all(preload.map((entry) => readModel(entry, base))))
    for (const { owner, hook } of booted.readyHooks()) await runReadyHook(owner, hook)
    for (const surface of root.surfaces) {
      if (surface.kind !== 'socket') continue
      const { address, tls = false, stop } = await surface.start(contextFor(surface))
      stops.unshift({ what: `Surface ${surface.name}`, run: stop })
      logger.info(
        { surface: surface.name, address, tls },
        `Surface ${surface.name} listens on ${address}, TLS ${tls ? 'on' : 'off'}`,
      )
    }
  }

  async function close(): Promise<void> {
    // What is still starting must be there to be stopped.
    await starting?.catch(() => undefined)
    for (const stop of stops) await closeStep(stop, closeTimeoutMs, logger)
    await closeStep({ what: 'The service', run: () => service.close() }, closeTimeoutMs, logger)
    await booted.close()
  }

  return Object.freeze({
    ...root,
    service,
    authenticate,
    contextFor,
    start: () => (starting ??= start()),
    close: () => (closing ??= close()),
    inspect,
    prettyPrint: () => prettyPrint(inspect()),
  })
}

async function runReadyHook(owner: string, hook: () => void | Promise<void>): Promise<void> {
  try {
    await hook()
  } catch (cause) {
    if (cause instanceof GrainlineError) throw cause
    fail('PLUGIN_FAILED', `Plugin ${owner} failed when the host became ready: ${(cause as Error).message}`, { cause })
  }
}

async function readModel({ session, model }: PreloadEntry, base: string) {
  const file = path.resolve(base, model)
  try {
    return { session, source: await readFile(file, 'utf8'), file }
  } catch (cause) {
    return fail('INVALID_CONFIG', `The model of session ${session} cannot be read: ${(cause as Error).message}`, {
      path: 'preload',
      cause,
    })
  }
}

/** One error for all refusals. */
function refuse(faults: readonly Finding[]): void {
  if (faults.length === 0) return
  const messages = faults.map(({ message }) => message)
  const message = messages.length === 1 ? messages[0]! : `${messages.length} settings are refused\n  ${messages.join('\n  ')}`
  fail(faults[0]!.code, message, { path: faults[0]!.path, findings: faults })
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
