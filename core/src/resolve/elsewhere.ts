import { not } from './expressions.js'
import type { RowExpr } from './relation-column.js'
import type { RowsAt, Shift } from './resolved-query.js'

/** Where values are read: at another period, or for one period that the query cuts; neither is set at the period of the row. */
export interface Elsewhere {
  readonly shift: Shift | undefined
  readonly rowsAt?: RowsAt | undefined
}

export const shiftOf = ({ shift, rowsAt }: Elsewhere): Shift | undefined => shift ?? rowsAt?.shift

/** Which rows look the values up; `undefined` if all do. */
export const isOwnRow = ({ shift, rowsAt }: Elsewhere): RowExpr | undefined =>
  rowsAt ? rowsAt.isOwn : shift?.apart && not(shift.apart)
