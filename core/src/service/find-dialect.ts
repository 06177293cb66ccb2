import { didYouMean, nearest, shown } from '../nearest.js'
import type { Point } from '../point.js'
import type { Dialect } from '../sql/dialect.js'
import { matchName } from './find-by-name.js'

/** The loaded dialect of this name, or of the only one that differs only in case. */
export function findDialect(name: string, dialects: Point<Dialect>): Dialect | undefined {
  const meant = matchName(name, dialects.names())
  return meant === undefined ? undefined : dialects.get(meant)
}

/** That a dialect is not loaded, with what follows from it, and what can be done. */
export function dialectNotLoaded(name: string, dialects: Point<Dialect>, consequence = '') {
  const loaded = dialects.names().sort()
  const close = nearest(name, loaded)
  const there = loaded.length > 0 ? `loaded are ${loaded.join(', ')}` : 'none is loaded'
  const suggestions = close.length > 0 ? close : loaded
  return {
    message: `Dialect '${shown(name)}' is not loaded${consequence}; ${there}${didYouMean(close)}`,
    ...(close.length === 0 && packageHint(name)),
    ...(suggestions.length > 0 && { suggestions }),
  }
}

/** The package that adds a dialect of the name, by the convention of the built-in ones. */
const packageHint = (name: string): { readonly hint?: string } =>
  /^[a-z][a-z0-9]{0,39}$/i.test(name)
    ? { hint: `Load the plugin of the dialect: add '@grainline/dialect-${name.toLowerCase()}' to the plugins of the config.` }
    : {}
