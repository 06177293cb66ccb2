import { type AsOf, equalTerms } from '../model/join-term.js'
import { isNotNull } from '../resolve/expressions.js'
import type { RowExpr } from '../resolve/relation-column.js'
import { ascending, type SortKey } from '../resolve/resolved-query.js'
import { filtered } from './from.js'
import type { Join, LogicalPlan, NamedExpr } from './logical-plan.js'
import type { TypeOf } from './spine.js'

/** The rows that a join by time may find: those with a time, of which the conditions of the join are true. */
export function candidatesOf({ right, on }: Join, { at }: AsOf<RowExpr>): LogicalPlan {
  const conditions = on.flatMap((term) => (term.kind === 'holds' ? [term.condition] : []))
  const reason = 'the rows that may be found'
  return filtered(
    right,
    [isNotNull(at), ...conditions].map((expression) => ({ expression, reason })),
  )
}

/** What the rows of both sides compare, under the same names: the equal columns, and the time as the last one. */
export function comparedBy({ on }: Join, { value, at }: AsOf<RowExpr>, typeOf: TypeOf): Compared {
  const keys = equalTerms(on).map(({ from, to }, i) => ({ name: `key_${i + 1}`, type: typeOf(from), from, to }))
  const all = [...keys, { name: MOMENT, type: typeOf(at), from: value, to: at }]
  const side = (of: 'from' | 'to'): readonly NamedExpr[] =>
    all.map(({ name, type, ...sides }) => ({ name, type, expression: sides[of] }))
  return { here: side('from'), there: side('to') }
}

export interface Compared {
  readonly here: readonly NamedExpr[]
  readonly there: readonly NamedExpr[]
}

const MOMENT = 'moment'
export const isKey = ({ name }: { readonly name: string }): boolean => name !== MOMENT
export const momentOf = (columns: readonly NamedExpr[]): readonly NamedExpr[] => columns.filter((column) => !isKey(column))

/** From the first row that is found on, and of one time in the order in which the last is found. */
export const inOrder = (
  moment: RowExpr,
  { direction, ties }: Pick<AsOf<RowExpr>, 'direction' | 'ties'>,
  typeOf: TypeOf,
): readonly SortKey<RowExpr>[] => [
  { ...ascending(moment, typeOf(moment)), descending: direction === 'forward' },
  ...ties.map((tie) => ascending(tie, typeOf(tie))),
]
