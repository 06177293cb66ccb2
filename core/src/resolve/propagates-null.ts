import { firstOf } from '../invariant.js'
import { type Expr, type InnerNode, isInner } from '../model/expression/ast.js'

const LENIENT = new Set(['coalesce', 'current_date'])

/** Whether the expression is NULL if every column that it reads is NULL: then a missing row needs no guard. */
export function propagatesNull<L extends { readonly kind: string }>(expression: Expr<L>): boolean {
  return isInner<L>(expression) ? nodePropagatesNull(expression) : true
}

function nodePropagatesNull<L extends { readonly kind: string }>(node: InnerNode<L>): boolean {
  switch (node.kind) {
    case 'literal':
      return node.value === null
    case 'unary':
    case 'cast':
      return propagatesNull(node.operand)
    case 'binary':
      if (node.operator === 'and' || node.operator === 'or') return propagatesNull(node.left) && propagatesNull(node.right)
      return propagatesNull(node.left) || propagatesNull(node.right)
    case 'call':
      if (node.name === 'nullif') return propagatesNull(firstOf(node.args))
      return node.portable && !LENIENT.has(node.name) && node.args.some((arg) => propagatesNull(arg))
    case 'like':
      return propagatesNull(node.operand) || propagatesNull(node.pattern)
    case 'in':
      return propagatesNull(node.operand)
    case 'parameter':
    case 'case':
    case 'is-null':
      return false
  }
}
