import { fail, GrainlineError } from '../errors.js'
import type { PluginReport } from './inspection.js'
import type { PluginSource } from './load.js'
import type { Hook, HostPlugin, PluginMeta } from './plugin.js'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** One plugin during boot. */
export interface Scope {
  readonly plugin: HostPlugin
  readonly meta: PluginMeta
  readonly given: unknown
  readonly optional: boolean
  readonly parent: Scope | undefined
  readonly children: Scope[]
  readonly readyHooks: Hook[]
  readonly report: Writable<PluginReport>
}

export function createScope({ plugin, meta, options, optional, source }: ScopeSource, parent: Scope | undefined): Scope {
  const { milliseconds = 0, ...origin } = source
  const report = {
    name: meta.name,
    ...origin,
    status: 'starting' as const,
    options: undefined,
    milliseconds,
    ...(parent && { parent: parent.meta.name }),
  }
  const scope: Scope = { plugin, meta, given: options, optional, parent, children: [], readyHooks: [], report }
  parent?.children.push(scope)
  return scope
}

interface ScopeSource {
  readonly plugin: HostPlugin
  readonly meta: PluginMeta
  readonly options: unknown
  readonly optional: boolean
  readonly source: PluginSource
}

/** The plugin itself, or the nearest outer plugin, that may fail without stopping the host. */
export function nearestOptional(scope: Scope): Scope | undefined {
  return scope.optional ? scope : scope.parent && nearestOptional(scope.parent)
}

/** Marks a plugin and its nested plugins as failed; `forget` drops the registrations of each. */
export function rollBack(scope: Scope, error: GrainlineError, forget: (owner: string) => void): void {
  scope.report.status = 'failed'
  scope.report.error ??= error.message
  forget(scope.meta.name)
  for (const child of scope.children) rollBack(child, error, forget)
}

/** A plugin that was left out, but continued to run, must not register anything later. */
export function refuseWhenLeftOut({ report, meta }: Scope): void {
  if (report.status === 'failed') fail('PLUGIN_FAILED', `Plugin ${meta.name} was left out and cannot register any more`)
}

export function asPluginError(name: string, cause: unknown): GrainlineError {
  if (cause instanceof GrainlineError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new GrainlineError('PLUGIN_FAILED', `Plugin ${name} failed to start: ${reason}`, { cause })
}
