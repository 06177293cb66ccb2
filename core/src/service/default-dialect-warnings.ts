import type { Finding } from '../errors.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { Point } from '../point.js'
import type { Dialect } from '../sql/dialect.js'
import { dialectNotLoaded, findDialect } from './find-dialect.js'

/** A warning if the model's default dialect is not loaded here: each query that names no dialect would be refused. */
export function defaultDialectWarnings({ settings }: SemanticModel, dialects: Point<Dialect>): readonly Finding[] {
  const name = settings.defaultDialect
  if (name === undefined || findDialect(name, dialects)) return []
  const found = dialectNotLoaded(name, dialects, ', so queries that name no dialect are refused')
  return [{ code: 'UNSUPPORTED_DIALECT', path: 'settings.defaultDialect', severity: 'warning', ...found }]
}
