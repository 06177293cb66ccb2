import { firstOf } from '../invariant.js'
import { type Expr, type InnerNode, isInner } from '../model/expression/ast.js'

const LENIENT = new Set(['coalesce', 'current_date'])

/** Whether the expression is NULL if every column that it reads is NULL: then a missing row needs no guard. */
export function isStrict<L extends { readonly kind: string }>(expression: Expr<L>): boolean {
  return isInner<L>(expression) ? isStrictNode(expression) : true
}

function isStrictNode<L extends { readonly kind: string }>(node: InnerNode<L>): boolean {
  switch (node.kind) {
    case 'literal':
      return node.value === null
    case 'unary':
    case 'cast':
      return isStrict(node.operand)
    case 'binary':
      if (node.operator === 'and' || node.operator === 'or') return isStrict(node.left) && isStrict(node.right)
      return isStrict(node.left) || isStrict(node.right)
    case 'call':
      if (node.name === 'nullif') return isStrict(firstOf(node.args))
      return node.portable && !LENIENT.has(node.name) && node.args.some((arg) => isStrict(arg))
    case 'like':
      return isStrict(node.operand) || isStrict(node.pattern)
    case 'in':
      return isStrict(node.operand)
    case 'case':
    case 'is-null':
      return false
  }
}
