import { LeftOut } from '../draft.js'
import type { Use } from '../sql-expression.js'
import { physical, quoted } from './columns.js'
import type { MemberReference, NameReading } from './marked-text.js'
import type { Owner } from './owner.js'

/** Names in an expression over rows are columns and dimensions. `rowValue` writes a dimension; `note` is told each owner that is read. */
export function rowReading<O extends Owner>(
  rowValue: (reference: MemberReference<O>, use: Use) => string,
  note: (owner: O) => void = () => undefined,
): NameReading<O> {
  return {
    column: (owner, code, use) => {
      note(owner)
      return quoted(owner, physical(code, owner, use))
    },
    member: (reference, use) => {
      note(reference.owner)
      return rowValue(reference, use)
    },
    call: ({ name, isOdd }) => {
      if (isOdd || AGGREGATES.has(name)) throw new LeftOut(`'${name}' aggregates rows, and is no value of a row`)
      return undefined
    },
  }
}

const AGGREGATES = new Set('sum count avg min max median stddev variance any_value mode approx_count_distinct'.split(' '))
