import { type DataType, decimal, MAX_PRECISION } from '../model/data-type.js'
import { type InList, isLiteral } from '../model/expression/ast.js'
import { anyOf, binary } from '../resolve/expressions.js'
import { digitsOf } from './decimal-digits.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

type TypeOf = (expr: SqlExpr) => DataType

/** Whether a number is compared with a decimal of finer scale, or with a number of more digits than its type holds. */
export function isMixedList({ operand, list }: InList<SqlLeaf>, typeOf: TypeOf): boolean {
  const one = typeOf(operand)
  return list.some((other) => {
    const type = typeOf(other)
    if (one.kind !== 'decimal') return type.kind === 'decimal'
    const { precision, scale } = digitsOf(other, type)
    return (
      (type.kind === 'decimal' && one.scale < type.scale) || (isLiteral(other) && precision - scale > one.precision - one.scale)
    )
  })
}

/** The list with its operand as a decimal that holds every value. If there is none, the values are compared one by one. */
export function withoutMixedList(node: InList<SqlLeaf>, typeOf: TypeOf): SqlExpr {
  const all = [node.operand, ...node.list].map((expr) => ({ expr, type: typeOf(expr) }))
  const digits = all.map(({ expr, type }) => digitsOf(expr, type))
  const scale = Math.max(...digits.map((one) => one.scale))
  const isHeld = all.every(({ type }) => type.kind === 'decimal' || type.kind === 'int')
  if (isHeld && digits.every((one) => one.precision - one.scale <= MAX_PRECISION - scale))
    return { ...node, operand: { kind: 'cast', operand: node.operand, type: decimal(MAX_PRECISION, scale) } }
  return anyOf(node.list.map((value) => binary('=', node.operand, value)))
}
