import { fail } from '../errors.js'
import type { Vendor } from '../execute/vendor.js'
import type { Point } from '../host/points.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { didYouMean, nearest } from '../nearest.js'
import type { Dialect } from '../sql/dialect.js'

export interface DialectChoice {
  readonly dialects: Point<Dialect>
  readonly vendors: Point<Vendor>
  /** `DB_VENDOR`. */
  readonly vendor: string
}

/** The explicit dialect, else the model's default, else that of `DB_VENDOR`, else postgres. Throws `UNSUPPORTED_DIALECT` listing those loaded. */
export function chooseDialect(explicit: string | undefined, model: SemanticModel, choice: DialectChoice): Dialect {
  const name = explicit ?? model.settings.defaultDialect ?? dialectOfVendor(choice)
  const { dialects } = choice
  if (dialects.has(name)) return dialects.get(name)
  const loaded = dialects.names().sort()
  const folded = loaded.find((candidate) => candidate === name.toLowerCase())
  if (folded !== undefined) return dialects.get(folded)
  const close = nearest(name, loaded)
  const suggestions = close.length > 0 ? close : loaded
  const there = loaded.length > 0 ? `loaded are ${loaded.join(', ')}` : 'none is loaded'
  return fail('UNSUPPORTED_DIALECT', `Dialect '${name}' is not loaded; ${there}${didYouMean(close)}`, {
    path: 'dialect',
    ...(suggestions.length > 0 && { suggestions }),
  })
}

function dialectOfVendor({ dialects, vendors, vendor }: DialectChoice): string {
  if (vendors.has(vendor)) return vendors.get(vendor).dialect
  return dialects.has(vendor) ? vendor : 'postgres'
}
