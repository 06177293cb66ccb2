import type { Finding } from '../errors.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { didYouMean, nearest, shown } from '../nearest.js'
import type { Point } from '../point.js'
import type { Dialect } from '../sql/dialect.js'
import { matchName } from './find-by-name.js'

/** A warning if the model's default dialect is not loaded here: each query that names no dialect would be refused. */
export function defaultDialectWarnings({ settings }: SemanticModel, dialects: Point<Dialect>): readonly Finding[] {
  const name = settings.defaultDialect
  const loaded = dialects.names().sort()
  if (name === undefined || matchName(name, loaded) !== undefined) return []
  const suggestions = nearest(name, loaded)
  const there = loaded.length > 0 ? `loaded are ${loaded.join(', ')}` : 'none is loaded'
  const message = `Dialect '${shown(name)}' is not loaded, so queries that name no dialect are refused; ${there}${didYouMean(suggestions)}`
  const path = 'settings.defaultDialect'
  return [{ code: 'UNSUPPORTED_DIALECT', message, path, severity: 'warning', ...(suggestions.length > 0 && { suggestions }) }]
}
