import { itemAt } from '../invariant.js'
import { type Call, isLiteral } from '../model/expression/ast.js'
import { binary, integer } from '../resolve/expressions.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

/**
 * The arguments of a substring, as every engine reads them alike. Engines differ in a position below 1, which some count from the end, and in a
 * negative length: here the characters are those with a position in the range, of which the part before the text is lost.
 */
export function alikeSubstring({ args }: Call<SqlLeaf>): readonly SqlExpr[] {
  const [text, start, length] = [itemAt(args, 0), itemAt(args, 1), args[2]]
  const from = notBelow(1, start)
  if (length === undefined) return [text, from]
  return [text, from, notBelow(0, from === start ? length : binary('-', length, binary('-', from, start)))]
}

const notBelow = (least: number, value: SqlExpr): SqlExpr =>
  isAtLeast(least, value)
    ? value
    : { kind: 'case', branches: [{ when: binary('<', value, integer(least)), then: integer(least) }], otherwise: value }

/** Whether a whole number, unless it is NULL, is known to be at least this one. */
function isAtLeast(least: number, expr: SqlExpr): boolean {
  if (isLiteral(expr)) return expr.value === null || Number(expr.value) >= least
  if (expr.kind === 'call' && expr.name === 'greatest') return expr.args.some((arg) => isAtLeast(least, arg))
  if (expr.kind === 'call') return (expr.name === 'length' || expr.name === 'position') && least <= 0
  if (expr.kind !== 'binary' || expr.operator !== '+') return false
  const { left, right } = expr
  return (isAtLeast(0, left) && isAtLeast(least, right)) || (isAtLeast(least, left) && isAtLeast(0, right))
}
