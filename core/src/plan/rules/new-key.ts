import { leavesOf } from '../../model/expression/ast.js'
import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import { isSame } from '../../same.js'
import type { NamedExpr } from '../logical-plan.js'

/** Whether no earlier key has the same expression, and none may be spelled like it. */
export const isNewKey = ({ expression }: NamedExpr, at: number, keys: readonly NamedExpr[]): boolean =>
  !keys.some((key, i) => i < at && (isSame(key.expression, expression) || isReadTwice(key.expression, expression)))

/** Whether both read a column that is converted, or declared in two ways: a timestamp that is declared a date is cut to its day, as by a grain. */
const isReadTwice = (a: RowExpr, b: RowExpr): boolean =>
  leavesOf<RelationColumn>(a).some((one) =>
    leavesOf<RelationColumn>(b).some(
      (other) => one.table === other.table && one.name === other.name && (one.stored !== undefined || !isSame(one, other)),
    ),
  )
