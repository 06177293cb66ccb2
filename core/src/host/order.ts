import { fail, GrainlineError } from '../errors.js'
import { didYouMean, nearest } from '../nearest.js'
import type { FailedPlugin, LoadedPlugin, LoadReport } from './load.js'

/**
 * The order of booting: the config's, except that a dependency goes before its dependant. Throws `DUPLICATE_PLUGIN`, `PLUGIN_CYCLE`
 * and `MISSING_DEPENDENCY`; an optional plugin that lacks a dependency joins the failed ones instead.
 */
export function orderPlugins({ loaded, failed, absent }: LoadReport): LoadReport {
  const byName = indexByName(loaded)
  const ordered: LoadedPlugin[] = []
  const left: FailedPlugin[] = [...failed]
  const state = new Map<LoadedPlugin, 'open' | 'done' | 'left out'>()

  function visit(plugin: LoadedPlugin, trail: readonly string[]): boolean {
    const { name, dependencies = [] } = plugin.meta
    if (state.get(plugin) === 'open')
      fail('PLUGIN_CYCLE', `Plugins depend on each other in a circle: ${[...trail, name].join(' -> ')}`, {
        hint: 'Remove one of these dependencies. What both plugins need can be a third one.',
      })
    if (state.has(plugin)) return state.get(plugin) === 'done'
    state.set(plugin, 'open')
    const missing = dependencies.find((dependency) => {
      const target = byName.get(dependency)
      return target === undefined || !visit(target, [...trail, name])
    })
    if (missing !== undefined) leaveOut(plugin, missing)
    else ordered.push(plugin)
    state.set(plugin, missing === undefined ? 'done' : 'left out')
    return missing === undefined
  }

  function leaveOut(plugin: LoadedPlugin, dependency: string): void {
    const error = missingDependency(plugin, dependency, byName.keys())
    if (!plugin.optional) throw error
    left.push({ name: plugin.meta.name, source: plugin.source, error })
  }

  for (const plugin of loaded) visit(plugin, [])
  return { loaded: ordered, failed: left, absent }
}

function indexByName(loaded: readonly LoadedPlugin[]): Map<string, LoadedPlugin> {
  const byName = new Map<string, LoadedPlugin>()
  for (const plugin of loaded) {
    const { name } = plugin.meta
    if (byName.has(name)) fail('DUPLICATE_PLUGIN', `Plugin ${name} is listed twice in the config; list it once`)
    byName.set(name, plugin)
  }
  return byName
}

function missingDependency({ meta }: LoadedPlugin, dependency: string, known: Iterable<string>): GrainlineError {
  const suggestions = nearest(dependency, known)
  const message = `Plugin ${meta.name} needs plugin ${dependency}, which the config does not list${didYouMean(suggestions)}`
  return new GrainlineError('MISSING_DEPENDENCY', message, { hint: `Add ${dependency} to plugins.`, suggestions })
}
