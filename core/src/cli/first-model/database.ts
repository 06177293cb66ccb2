import type { VendorConnection } from '../../execute/vendor.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import type { StoredTypes } from '../../model/stored-column.js'
import { clockAt } from '../../resolve/clock.js'
import { rowsOf, type Value } from '../../result/value-at.js'
import type { Catalogue } from '../../service/catalogue.js'
import type { Dialect } from '../../sql/dialect.js'
import { withInternalFunctions } from '../../sql/internal-functions.js'
import type { Ask, VerifyContext } from '../../verify/verify-context.js'

/** What a first model asks. */
export interface Database {
  readonly connection: VendorConnection
  readonly dialect: Dialect
  readonly catalogue: Catalogue
  readonly now: Date
}

/** Statements about the rows of a model, as those of `verify`. */
export function verifyContextOf(
  model: SemanticModel,
  storedTypes: StoredTypes,
  { connection, dialect, catalogue, now }: Database,
): VerifyContext {
  const { weekStart } = model.settings
  const time = { clock: clockAt(now, 'UTC', weekStart), zone: 'UTC', weekStart, naiveZone: undefined, leavesNaive: false }
  const { functions, aggregates } = catalogue
  return {
    model,
    storedTypes,
    dialect,
    functions: withInternalFunctions(functions),
    aggregates,
    now,
    time,
    ask: askOn(connection),
  }
}

function askOn(connection: VendorConnection): Ask {
  return async (sql, schema) => {
    const rows: Value[][] = []
    for await (const batch of connection.query(sql, { schema })) {
      rows.push(...rowsOf(batch, schema))
    }
    return rows
  }
}
