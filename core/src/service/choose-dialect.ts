import { fail } from '../errors.js'
import type { Vendor } from '../execute/vendor.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { didYouMean, nearest, shown } from '../nearest.js'
import type { Point } from '../point.js'
import type { Dialect } from '../sql/dialect.js'
import { matchName } from './find-by-name.js'

export interface DialectChoice {
  readonly dialects: Point<Dialect>
  readonly vendors: Point<Vendor>
  /** `DB_VENDOR`. */
  readonly vendor: string
}

/**
 * The requested dialect, or else the model's default, or else that of `DB_VENDOR`, or else postgres. Throws `UNSUPPORTED_DIALECT` with the
 * loaded ones.
 */
export function chooseDialect(explicit: string | undefined, model: SemanticModel, choice: DialectChoice): Dialect {
  const name = explicit ?? model.settings.defaultDialect ?? dialectOfVendor(choice)
  const { dialects } = choice
  if (dialects.has(name)) return dialects.get(name)
  const loaded = dialects.names().sort()
  const meant = matchName(name, loaded)
  if (meant !== undefined) return dialects.get(meant)
  const close = nearest(name, loaded)
  const suggestions = close.length > 0 ? close : loaded
  const there = loaded.length > 0 ? `loaded are ${loaded.join(', ')}` : 'none is loaded'
  return fail('UNSUPPORTED_DIALECT', `Dialect '${shown(name)}' is not loaded; ${there}${didYouMean(close)}`, {
    path: 'dialect',
    ...(close.length === 0 && packageHint(name)),
    ...(suggestions.length > 0 && { suggestions }),
  })
}

/** The package that adds a dialect of the name, by the convention of the built-in ones. */
const packageHint = (name: string): { readonly hint?: string } =>
  /^[a-z][a-z0-9]{0,39}$/i.test(name)
    ? { hint: `Load the plugin of the dialect: add '@grainline/dialect-${name.toLowerCase()}' to the plugins of the config.` }
    : {}

function dialectOfVendor({ dialects, vendors, vendor }: DialectChoice): string {
  if (vendors.has(vendor)) return vendors.get(vendor).dialect
  return dialects.has(vendor) ? vendor : 'postgres'
}
