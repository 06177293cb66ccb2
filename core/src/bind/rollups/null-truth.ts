/** Whether a condition on one field is true of a row in which the field is NULL. */
import { type Expr, isInner } from '../../model/expression/ast.js'
import type { WhereLeaf } from '../../resolve/resolved-query.js'

/** True, false or unknown (`null`), as in SQL; `undefined` for a condition of another form. */
export function truthOfNull(expression: Expr<WhereLeaf>): boolean | null | undefined {
  if (!isInner<WhereLeaf>(expression)) return undefined
  switch (expression.kind) {
    case 'literal':
      return typeof expression.value === 'boolean' ? expression.value : undefined
    case 'is-null':
      return isInner<WhereLeaf>(expression.operand) ? undefined : true
    case 'in':
      return isInner<WhereLeaf>(expression.operand) ? undefined : null
    case 'unary': {
      const inner = expression.operator === 'not' ? truthOfNull(expression.operand) : undefined
      return typeof inner === 'boolean' ? !inner : inner
    }
    case 'binary':
      return ofBinary(expression)
    default:
      return undefined
  }
}

function ofBinary({ operator, left, right }: Extract<Expr<WhereLeaf>, { kind: 'binary' }>): boolean | null | undefined {
  if (operator !== 'and' && operator !== 'or') return isInner<WhereLeaf>(left) ? undefined : null
  const [a, b] = [truthOfNull(left), truthOfNull(right)]
  if (a === undefined || b === undefined) return undefined
  const decisive = operator === 'or'
  if (a === decisive || b === decisive) return decisive
  return a === null || b === null ? null : !decisive
}
