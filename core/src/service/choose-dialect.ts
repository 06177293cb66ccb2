import { fail } from '../errors.js'
import type { Vendor } from '../execute/vendor.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { Point } from '../point.js'
import type { Dialect } from '../sql/dialect.js'
import { dialectNotLoaded, findDialect } from './find-dialect.js'

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
export function chooseDialect(explicit: string | undefined, { settings }: SemanticModel, choice: DialectChoice): Dialect {
  const name = explicit ?? settings.defaultDialect ?? dialectOfVendor(choice)
  const dialect = findDialect(name, choice.dialects)
  if (dialect) return dialect
  const { message, ...details } = dialectNotLoaded(name, choice.dialects)
  return fail('UNSUPPORTED_DIALECT', message, { path: 'dialect', ...details })
}

/** The dialect of a model if nothing asks for another one; `undefined` if it is not loaded. */
export const defaultDialect = ({ settings }: SemanticModel, choice: DialectChoice): Dialect | undefined =>
  findDialect(settings.defaultDialect ?? dialectOfVendor(choice), choice.dialects)

function dialectOfVendor({ dialects, vendors, vendor }: DialectChoice): string {
  if (vendors.has(vendor)) return vendors.get(vendor).dialect
  return dialects.has(vendor) ? vendor : 'postgres'
}
