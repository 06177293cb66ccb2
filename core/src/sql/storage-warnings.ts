import { type Finding, warning } from '../errors.js'
import type { StoredColumn } from '../model/stored-column.js'
import type { Dialect } from './dialect.js'

/** Warnings about the storage of the columns that a statement reads. */
export function storageWarnings(columns: readonly StoredColumn[], { byCodePoint, name: dialect }: Dialect): Finding[] {
  return columns.flatMap(({ name, declared, physical, collation }) => {
    const moments = physical?.kind === 'timestamp' || physical?.kind === 'timestamp_tz'
    const stored = physical?.name ?? 'text'
    return [
      ...(declared.kind === 'date' && moments
        ? [
            warning('DATE_OVER_TIMESTAMP', `'${name}' is declared date and stored as ${stored}; each moment is cut to its day`, {
              hint: 'declare it as the type that it has, with a timeGrain of day, to keep the moments',
              context: { column: name },
            }),
          ]
        : []),
      ...(collation !== undefined && byCodePoint === null
        ? [
            warning('INEXACT_COLLATION', `'${name}' is compared by its collation ${collation} on ${dialect}, not by code point`, {
              hint: 'give the column a collation by code point',
              context: { column: name },
            }),
          ]
        : []),
    ]
  })
}
