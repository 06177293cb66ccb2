/** How a plugin is written. The metadata is a property of the function, `plugin-meta`, as in fastify-plugin. */
import fp from 'fastify-plugin'
import type { Static, TSchema } from 'typebox'
import { fail } from '../errors.js'
import type { Logger } from '../logger.js'
import type { Settings } from '../settings/core-variables.js'
import type { ValuesOf, Variables } from '../settings/variable.js'
import type { ExtensionPoints, Point, PointName } from './points.js'

/** The features that a plugin switches on when it is loaded. */
export type Implication = 'execution'
export type Hook = () => void | Promise<void>

export type Points = { readonly [K in PointName]: Point<ExtensionPoints[K]> }

/** The host in the `setup` of a plugin: extension points, settings, a logger and lifecycle hooks. */
export interface Host<S = Settings> extends Points {
  readonly version: string
  readonly logger: Logger
  readonly settings: S
  /** The config file's folder, where relative paths in options start; the working directory for a config in code. */
  readonly base: string
  /** How many processes of this server load the plugin and share the machine; 1 without workers. */
  readonly processes: number
  /** Any extension point by name, including a new one of the plugin (declared in `ExtensionPoints` by merging). */
  point<K extends PointName>(name: K): Point<ExtensionPoints[K]>
  /** Boots another plugin inside this one, before the next sibling. Both fail and close together. */
  use(plugin: HostPlugin, options?: unknown): void
  /** Runs when every plugin is set up and the registries are closed, in boot order. */
  onReady(hook: Hook): void
  /** Runs when the host closes, in reverse boot order. */
  onClose(hook: Hook): void
}

/** The metadata that the host reads before it runs a plugin. */
export interface PluginMeta {
  /** The package's name. */
  readonly name: string
  /** Semver range of the host that this plugin was written for. */
  readonly host: string
  /** Names of plugins that are set up before this one. */
  readonly dependencies?: readonly string[]
  /** The schema of its options. A property with `secret: true` is never shown. Without a schema the plugin takes no options. */
  readonly options?: TSchema
  /** Environment variables of its own; their values are in `host.settings`. */
  readonly settings?: Variables
  readonly implies?: readonly Implication[]
}

/** The description of a plugin for `definePlugin`: its metadata, and `setup`, which registers its extensions. */
export interface PluginDefinition<S extends TSchema, V extends Variables> extends PluginMeta {
  readonly options?: S
  readonly settings?: V
  readonly setup: (host: Host<Settings & ValuesOf<V>>, options: Static<S>) => void | Promise<void>
}

/** A plugin as a value: only the host calls it. */
export type HostPlugin = (host: never, options: never) => void | Promise<void>

/** Makes a plugin from its description. Export it as the default of the package. */
export function definePlugin<const S extends TSchema, const V extends Variables = Record<never, never>>(
  definition: PluginDefinition<S, V>,
): HostPlugin {
  const { setup, ...meta } = definition
  if (!meta.name) fail('NOT_A_PLUGIN', 'A plugin needs a name: definePlugin({ name, host, setup })')
  if (typeof setup !== 'function') fail('NOT_A_PLUGIN', `Plugin ${meta.name} has no setup function`)
  const run: PluginDefinition<S, V>['setup'] = (host, options) => setup(host, options)
  return (fp as unknown as (plugin: unknown, meta: PluginMeta) => HostPlugin)(run, meta)
}

/** The metadata of a plugin made with `definePlugin`, `undefined` for any other value. */
export function metaOf(value: unknown): PluginMeta | undefined {
  if (typeof value !== 'function') return undefined
  const meta = (value as { [kMeta]?: Partial<PluginMeta> })[kMeta]
  return meta?.name !== undefined && meta.host !== undefined ? (meta as PluginMeta) : undefined
}

const kMeta = Symbol.for('plugin-meta')
