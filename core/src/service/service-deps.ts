import type { CacheBackend } from '../cache/cache-store.js'
import type { Vendor } from '../execute/vendor.js'
import type { Evaluator } from '../language/evaluator.js'
import type { Language } from '../language/language.js'
import type { Logger } from '../logger.js'
import type { Exporter } from '../model/exporter.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { Importer } from '../model/importer.js'
import type { Point } from '../point.js'
import type { Settings } from '../settings/core-variables.js'
import type { Dialect } from '../sql/dialect.js'
import type { Workers } from '../workers/workers.js'

export interface ServiceDeps {
  readonly settings: Settings
  readonly logger: Logger
  readonly dialects: Point<Dialect>
  readonly vendors: Point<Vendor>
  readonly caches: Point<CacheBackend>
  readonly functions: Point<FunctionSpec>
  readonly aggregates: Point<AggregateSpec>
  readonly evaluators: Point<Evaluator>
  readonly languages: Point<Language>
  readonly importers: Point<Importer>
  readonly exporters: Point<Exporter>
  readonly now: () => Date
  readonly randomId: () => string
  /** The other workers of this server, if it has several. */
  readonly workers: Workers | undefined
  /** Without authentication: nobody but programs of this machine can ask. */
  readonly callersAreLocal: boolean
  /** Packages of plugins that the config lists and that are not installed. */
  readonly absent?: readonly string[]
}
