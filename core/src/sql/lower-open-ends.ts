import { type DataType, isTemporal } from '../model/data-type.js'
import type { Binary } from '../model/expression/ast.js'
import { allOf, binary, coalesce, text } from '../resolve/expressions.js'
import { isSame } from '../same.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

/** The ends of periods in a condition, for engines that compare all pairs of rows where one may be NULL: those that are open become infinite. */
export function infiniteEnds(on: SqlExpr, typeOf: (e: SqlExpr) => DataType): SqlExpr {
  const conditions = conjunctsOf(on)
  const changed = conditions.map((one) => infinite(one, typeOf))
  if (changed.every((one, i) => one === conditions[i])) return on
  const compared = changed.flatMap((one, i) => (one === conditions[i] || one.kind !== 'binary' ? [] : [one.left]))
  // A NULL is in no comparison.
  const needed = changed.filter((one) => !compared.some((value) => isPresence(one, value)))
  return allOf<SqlLeaf>(needed) ?? on
}

const conjunctsOf = (on: SqlExpr): readonly SqlExpr[] =>
  on.kind === 'binary' && on.operator === 'and' ? [...conjunctsOf(on.left), ...conjunctsOf(on.right)] : [on]

const isPresence = (one: SqlExpr, value: SqlExpr): boolean =>
  one.kind === 'unary' && one.operator === 'not' && one.operand.kind === 'is-null' && isSame(one.operand.operand, value)

function infinite(condition: SqlExpr, typeOf: (e: SqlExpr) => DataType): SqlExpr {
  const open = openComparison(condition)
  if (!open) return condition
  const { operator, left, right: end } = open
  const type = typeOf(end)
  if (!isTemporal(type)) return condition
  const farthest = text(operator.startsWith('>') ? '-infinity' : 'infinity')
  return binary<SqlLeaf>(operator, left, coalesce<SqlLeaf>(end, { kind: 'cast', operand: farthest, type }))
}

/** The comparison of `x IS NULL OR t < x`. */
function openComparison(condition: SqlExpr): Binary<SqlLeaf> | undefined {
  if (condition.kind !== 'binary' || condition.operator !== 'or' || condition.left.kind !== 'is-null') return undefined
  const { left, right } = condition
  const isRange = right.kind === 'binary' && ['<', '<=', '>', '>='].includes(right.operator)
  return isRange && isSame(left.operand, right.right) ? right : undefined
}
