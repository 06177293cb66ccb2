import { fail } from '../errors.js'
import type { Logger } from '../logger.js'
import type { Settings } from '../settings/core-variables.js'
import type { Hook, Host, HostPlugin, Points } from './plugin.js'
import type { PointName } from './points.js'
import { type Registries, viewOf } from './registry.js'
import { VERSION } from './version.js'

export interface FacadeContext {
  readonly registries: Registries
  readonly settings: Settings
  readonly base: string
  readonly logger: Logger
  readonly processes: number
}

/** The parts that differ from plugin to plugin. */
export interface FacadeVerbs {
  /** Runs before each registration and may refuse it. */
  readonly guard: () => void
  readonly use: (plugin: HostPlugin, options?: unknown) => void
  readonly onReady: (hook: Hook) => void
  readonly onClose: (hook: Hook) => void
}

/** The host for one owner: every registration has the owner's name. */
export function createFacade(
  owner: string,
  { registries, settings, base, logger, processes }: FacadeContext,
  { guard, use, onReady, onClose }: FacadeVerbs,
): Host {
  const view = (point: string) => viewOf(registries.of(point), owner, guard)
  const points = Object.fromEntries(POINTS.map((point) => [point, view(point)])) as unknown as Points
  return withOldNames({
    ...points,
    version: VERSION,
    logger,
    settings,
    base,
    processes,
    point: (name) => view(name) as never,
    use,
    onReady,
    onClose,
  } satisfies Host)
}

/** Plain JavaScript of a plugin may use a name that is no longer there. Not enumerable, so that copies of the host do not read it. */
function withOldNames(host: Host): Host {
  const get = () => fail('PLUGIN_FAILED', 'host.formats is now host.encodings; register the format there')
  return Object.freeze(Object.defineProperty(host, 'formats', { get, enumerable: false }))
}

const POINTS = [
  'dialects',
  'vendors',
  'caches',
  'surfaces',
  'functions',
  'aggregates',
  'authenticators',
  'evaluators',
  'languages',
  'encodings',
  'importers',
  'exporters',
] as const satisfies readonly PointName[]
