import { type DataType, INT } from '../model/data-type.js'
import type { Expr, Literal } from '../model/expression/ast.js'
import { binary, coalesce, isNull, literal } from '../resolve/expressions.js'

/** `IS NOT DISTINCT FROM` makes some engines loop; this form they hash. The filler is any value of the type. */
export function sameOrBothNull<L>(own: Expr<L>, theirs: Expr<L>, type: DataType): Expr<L> {
  const filled = (e: Expr<L>): Expr<L> => coalesce(e, fillerOf(type))
  return binary('and', binary('=', filled(own), filled(theirs)), binary('=', isNull(own), isNull(theirs)))
}

function fillerOf(type: DataType): Literal {
  switch (type.kind) {
    case 'boolean':
      return literal(false, type)
    case 'date':
      return literal('1970-01-01', type)
    case 'time':
      return literal('00:00:00', type)
    case 'timestamp':
    case 'timestamp_tz':
      return literal('1970-01-01 00:00:00', type)
    case 'string':
    case 'json':
      return literal('', type)
    default:
      return literal(0, INT)
  }
}
