/** From entries to plugins in memory. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, GrainlineError } from '../errors.js'
import { firstOf, messageOf } from '../invariant.js'
import { didYouMean, nearest } from '../nearest.js'
import type { PluginEntryObject } from './config.js'
import { type HeldPlugin, heldPlugin } from './held-plugins.js'
import { type HostPlugin, metaOf, type PluginMeta } from './plugin.js'

export interface LoadedPlugin {
  readonly plugin: HostPlugin
  readonly meta: PluginMeta
  readonly options: unknown
  readonly optional: boolean
  readonly source: PluginSource
}
/** The source of a plugin: the entry as written, the file, the version of its package, and the time of its import. */
export interface PluginSource {
  readonly package: string
  readonly from: string
  readonly version?: string
  readonly milliseconds?: number
}
export interface FailedPlugin {
  readonly name: string
  readonly source: PluginSource
  readonly error: GrainlineError
}

export interface LoadReport {
  readonly loaded: readonly LoadedPlugin[]
  /** Optional ones only; any other failure is thrown. */
  readonly failed: readonly FailedPlugin[]
  /** Packages of entries with `ifInstalled` that are not installed. */
  readonly absent: readonly string[]
}

/** Imports all plugins in parallel. Throws one error for all failures, with one install command for the missing packages. */
export async function loadPlugins(entries: readonly PluginEntryObject[], base: string): Promise<LoadReport> {
  const outcomes = await Promise.all(entries.map((entry) => loadOne(entry, base)))
  const loaded = outcomes.flatMap((outcome) => ('plugins' in outcome ? outcome.plugins : []))
  const faults = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome] : []))
  const absent = faults.filter(isAbsent).map(({ entry }) => nameOf(entry))
  const failures = faults.filter((failure) => !isAbsent(failure))
  const fatal = failures.filter((failure) => !failure.optional)
  if (fatal.length > 0) throw together(fatal)
  return {
    loaded,
    failed: failures.map(({ entry, error }) => ({ name: nameOf(entry), source: sourceOf(entry), error })),
    absent,
  }
}

type Failure = { readonly entry: PluginEntryObject; readonly optional: boolean; readonly error: GrainlineError }
type Outcome = { readonly plugins: readonly LoadedPlugin[] } | Failure

/** A package that is installed and cannot be loaded is a fault in any entry. */
const isAbsent = ({ entry, error }: Failure) => entry.ifInstalled === true && error.code === 'PLUGIN_NOT_FOUND'

async function loadOne(entry: PluginEntryObject, base: string): Promise<Outcome> {
  const optional = entry.optional ?? false
  try {
    const { exported, source } = typeof entry.use === 'function' ? inline(entry.use) : await importPlugin(entry.use, base)
    // Falsy entries of a preset are skipped; a module without exports is not a plugin.
    const plugins = Array.isArray(exported) ? exported.flat(10).filter(Boolean) : [exported]
    return { plugins: plugins.map((plugin) => describe(plugin, entry, optional, source)) }
  } catch (error) {
    if (error instanceof GrainlineError) return { entry, optional, error }
    throw error
  }
}

function describe(plugin: unknown, entry: PluginEntryObject, optional: boolean, source: PluginSource): LoadedPlugin {
  const meta = metaOf(plugin) ?? (typeof entry.use === 'function' ? { name: entry.use.name || 'inline', host: '*' } : undefined)
  if (meta === undefined) {
    return fail('NOT_A_PLUGIN', `${source.package} has no default export made with definePlugin() (${source.from})`)
  }
  return { plugin: plugin as HostPlugin, meta, options: entry.with, optional, source }
}

const inline = (plugin: HostPlugin) => ({
  exported: plugin as unknown,
  source: { package: metaOf(plugin)?.name ?? '(inline)', from: '(inline)' },
})

interface Imported {
  readonly exported: unknown
  readonly source: PluginSource
}

async function importPlugin(name: string, base: string): Promise<Imported> {
  const held = heldPlugin(name, base)
  if (held !== undefined) return loadHeld(name, held)
  const file = isPath(name) ? resolvePath(name, base) : resolvePackage(name, base)
  const began = performance.now()
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    const milliseconds = performance.now() - began
    const version = versionOf(isPath(name) ? path.resolve(base, name) : path.dirname(file), !isPath(name))
    return {
      exported: module.default,
      source: { package: name, from: file, milliseconds, ...(version !== undefined && { version }) },
    }
  } catch (cause) {
    const hint = 'Correct the module, or leave the plugin out of the config.'
    return fail('PLUGIN_LOAD_FAILED', `Plugin ${name} could not be loaded from ${file}: ${messageOf(cause)}`, {
      cause,
      hint,
    })
  }
}

async function loadHeld(name: string, { file, version, load }: HeldPlugin): Promise<Imported> {
  const began = performance.now()
  const { default: exported } = await load()
  return { exported, source: { package: name, from: file, version, milliseconds: performance.now() - began } }
}

const isPath = (name: string) => /^\.{1,2}\//.test(name) || path.isAbsolute(name)

function resolvePath(name: string, base: string): string {
  const target = path.resolve(base, name)
  if (!existsSync(target)) {
    const near = nearest(path.basename(target), filesIn(path.dirname(target)), 1)
    return fail('PLUGIN_NOT_FOUND', `There is no plugin at ${target}${didYouMean(near)}`, {
      hint: 'Check the path in the config.',
    })
  }
  return statSync(target).isDirectory() ? createRequire(path.join(target, 'from-here.js')).resolve(target) : target
}

/** From the folder of the config first, so that plugins can be in the user's project; else from the host's own tree. */
function resolvePackage(name: string, base: string): string {
  const places = [path.join(base, 'from-here.js'), import.meta.url]
  let cause: NodeJS.ErrnoException | undefined
  for (const place of places) {
    try {
      return createRequire(place).resolve(name)
    } catch (error) {
      cause = error as NodeJS.ErrnoException
      if (cause.code !== 'MODULE_NOT_FOUND') break
    }
  }
  if (cause?.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') {
    return fail('PLUGIN_LOAD_FAILED', `Plugin ${name} is installed, but its package.json exports no "default" entry`, { cause })
  }
  return notInstalled(name, base, cause)
}

/** Suggests an installation only if no plugin here has a similar name: the package of that name may belong to anyone. */
function notInstalled(name: string, base: string, cause: unknown): never {
  const file = filesIn(base).find((each) => path.parse(each).name === name)
  const places = [path.join(base, 'from-here.js'), import.meta.url]
  const folders = new Set(places.flatMap((place) => createRequire(place).resolve.paths(name) ?? []))
  const scope = name.startsWith('@') ? `${name.split('/')[0]}/` : ''
  const installed = [...folders].flatMap((folder) => filesIn(path.join(folder, scope)).map((each) => `${scope}${each}`))
  // Names of plugins share most of their letters: `surface-flight` is not a misspelling of `surface-rest`.
  const near = nearest(name, new Set(installed), 1, MISSPELLED)
  const message = `Plugin ${name} is not installed (looked from ${base})`
  if (file !== undefined) fail('PLUGIN_NOT_FOUND', message, { hint: `A file is named by its path: ./${file}`, cause })
  if (near.length > 0) fail('PLUGIN_NOT_FOUND', `${message}${didYouMean(near)}`, { suggestions: near, cause })
  return fail('PLUGIN_NOT_FOUND', message, { hint: `npm install ${name}`, context: { package: name }, cause })
}

const MISSPELLED = 2

function filesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** The version that the manifest in the folder states, or in one above it. */
function versionOf(folder: string, above: boolean): string | undefined {
  const manifest = path.join(folder, 'package.json')
  if (existsSync(manifest)) return (JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }).version
  return above && folder !== path.dirname(folder) ? versionOf(path.dirname(folder), above) : undefined
}

function together(failures: readonly Failure[]): GrainlineError {
  const missing = failures.flatMap(({ error }) => (error.details.context?.package ? [String(error.details.context.package)] : []))
  const hint =
    missing.length > 0 ? `npm install ${missing.join(' ')}` : failures.map(({ error }) => error.details.hint).find(Boolean)
  const first = firstOf(failures).error
  const message = [...failures.map(({ error }) => error.message), ...(hint === undefined ? [] : [hint])].join('\n  ')
  return new GrainlineError(first.code, message, {
    ...(hint !== undefined && { hint }),
    findings: failures.map(({ error }) => error.toFinding()),
    cause: first.details.cause ?? first,
  })
}

const nameOf = (entry: PluginEntryObject) => (typeof entry.use === 'string' ? entry.use : (metaOf(entry.use)?.name ?? '(inline)'))
const sourceOf = (entry: PluginEntryObject): PluginSource => ({ package: nameOf(entry), from: '(not found)' })
