import { formatDataType } from '../data-type.js'
import { type Expr, type InnerNode, isInner, isLiteral, type Literal, nodeOf } from './ast.js'

/** The text of an expression in the grammar that `parseExpression` reads; `leaf` gives the text between the braces. */
export function formatExpression<L extends { readonly kind: string }>(expr: Expr<L>, leaf: (leaf: L) => string): string {
  const go = (e: Expr<L>): string => formatExpression(e, leaf)
  const inner = (e: Expr<L>): string => (isCompound(e) ? `(${go(e)})` : go(e))
  return isInner<L>(expr) ? formatNode<L>(expr, go, inner) : `{${leaf(expr)}}`
}

function formatNode<L extends { readonly kind: string }>(
  node: InnerNode<L>,
  go: (e: Expr<L>) => string,
  inner: (e: Expr<L>) => string,
): string {
  switch (node.kind) {
    case 'literal':
      return formatLiteral(node)
    case 'parameter':
      return `{@${node.name}}`
    case 'unary':
      return node.operator === 'not' ? `NOT ${inner(node.operand)}` : `-${inner(node.operand)}`
    case 'binary': {
      const { operator, left, right } = node
      // A chain of one operator is left-associative.
      const side = nodeOf(left)
      const first = side?.kind === 'binary' && side.operator === operator
      return `${first && isChain(operator) ? go(left) : inner(left)} ${operator.toUpperCase()} ${inner(right)}`
    }
    case 'call':
      return `${node.name}(${node.args.map(go).join(', ')})`
    case 'case': {
      const branches = node.branches.map(({ when, then }) => ` WHEN ${go(when)} THEN ${go(then)}`).join('')
      return `CASE${branches}${node.otherwise ? ` ELSE ${go(node.otherwise)}` : ''} END`
    }
    case 'cast':
      return `CAST(${go(node.operand)} AS ${formatDataType(node.type)})`
    case 'in':
      return `${inner(node.operand)} IN (${node.list.map(go).join(', ')})`
    case 'like':
      return `${inner(node.operand)} LIKE ${inner(node.pattern)}`
    case 'is-null':
      return `${inner(node.operand)} IS NULL`
  }
}

const isChain = (operator: string): boolean => operator === 'and' || operator === 'or' || operator === '+' || operator === '*'

const COMPOUND = new Set(['unary', 'binary', 'in', 'like', 'is-null'])
const isCompound = (expr: { readonly kind: string }): boolean =>
  COMPOUND.has(expr.kind) || (isLiteral(expr) && formatLiteral(expr).startsWith('-'))

function formatLiteral({ value, type }: Literal): string {
  if (value === null) return 'NULL'
  switch (type.kind) {
    case 'boolean':
      return value ? 'TRUE' : 'FALSE'
    case 'int':
    case 'decimal':
      return String(value)
    case 'float':
      return /e/i.test(String(value)) ? String(value) : `${value}e0`
    case 'date':
      return `DATE ${quoted(value)}`
    case 'timestamp':
      return `TIMESTAMP ${quoted(value)}`
    case 'string':
      return quoted(value)
    default:
      return `CAST(${quoted(value)} AS ${formatDataType(type)})`
  }
}

const quoted = (value: unknown): string => `'${String(value).replaceAll("'", "''")}'`
