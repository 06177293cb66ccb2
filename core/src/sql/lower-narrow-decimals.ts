import { asDecimal, type DataType, decimal, MAX_PRECISION } from '../model/data-type.js'
import { isLiteral, type Literal } from '../model/expression/ast.js'
import { literal } from '../resolve/expressions.js'
import type { SqlExpr } from './statement.js'

/** The digits of the narrowest decimal that an engine stores. A value that fits there fits into every column. */
const MIN_PRECISION = 9

/**
 * How the exact numbers of one comparison or choice are written for an engine that brings them to one scale in the width of the widest of them, where
 * `2000000000 < 0.5` overflows. A literal of a coarser scale gets the digits of the finer one, so that nothing is multiplied. Where a column has the
 * coarser scale, the first number of the finer scale becomes a decimal of 38 digits. Columns may be stored narrower than declared, so their declared
 * precision is not relied on.
 *
 * @param expressions before they are lowered
 * @returns the lowered expression as it is written
 */
export function roomForScale(
  expressions: readonly SqlExpr[],
  typeOf: (expr: SqlExpr) => DataType,
): (expr: SqlExpr, lowered: SqlExpr) => SqlExpr {
  const scaleOf = (expr: SqlExpr): number => asDecimal(typeOf(expr)).scale
  const scale = Math.max(...expressions.map(scaleOf))
  const multiplies = expressions.some((expr) => !isLiteral(expr) && scaleOf(expr) < scale)
  const wide = multiplies ? expressions.find((expr) => scaleOf(expr) === scale) : undefined
  return (expr, lowered) => {
    if (expr === wide) return asWide(expr, lowered, scale)
    return isLiteral(expr) && scaleOf(expr) < scale ? withScale(expr, scaleOf(expr), scale) : lowered
  }
}

function asWide(expr: SqlExpr, lowered: SqlExpr, scale: number): SqlExpr {
  const type = decimal(MAX_PRECISION, scale)
  return isLiteral(expr) ? literal(expr.value, type) : { kind: 'cast', operand: lowered, type }
}

function withScale(number: Literal, own: number, scale: number): Literal {
  if (number.value === null) return number
  const text = String(number.value)
  const precision = text.replace(/\D/g, '').length + scale - own
  if (precision <= MIN_PRECISION || precision > MAX_PRECISION) return number
  const zeros = '0'.repeat(scale - own)
  return literal(own === 0 ? `${text}.${zeros}` : `${text}${zeros}`, decimal(precision, scale))
}
