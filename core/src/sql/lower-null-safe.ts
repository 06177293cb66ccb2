import { type DataType, INT } from '../model/data-type.js'
import type { Literal } from '../model/expression/ast.js'
import { binary, coalesce, isNull, literal } from '../resolve/expressions.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

/**
 * Equal, or both NULL, for engines that compare every pair of rows for `IS NOT DISTINCT FROM`: they hash this form. The filler is any value
 * of the type.
 */
export function sameByHash(own: SqlExpr, theirs: SqlExpr, type: DataType): SqlExpr {
  const filled = (e: SqlExpr): SqlExpr => coalesce<SqlLeaf>(e, fillerOf(type))
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
