import { spend } from '../../work.js'
import { asDecimal, BOOLEAN, commonType, type DataType, decimal, FLOAT, INT, MAX_PRECISION, STRING } from '../data-type.js'
import type { FunctionSpec } from '../functions/function-spec.js'
import { type Binary, type Expr, type InnerNode, isInner, isLiteral } from './ast.js'

/**
 * The type of an expression's value. A call that the catalogue does not know has the type of its first argument, or else string. Nodes in
 * `known` are not computed again, for a caller that needs the type of every node of a deep expression.
 */
export function typeOf<L extends { readonly kind: string }>(
  expr: Expr<L>,
  typeOfLeaf: (leaf: L) => DataType,
  functions: ReadonlyMap<string, FunctionSpec>,
  known?: Map<Expr<L>, DataType>,
): DataType {
  if (isLiteral(expr)) return expr.type
  if (!isInner<L>(expr)) return typeOfLeaf(expr)
  const found = known?.get(expr)
  if (found) return found
  const type = innerType<L>(expr, (e) => typeOf(e, typeOfLeaf, functions, known), functions)
  known?.set(expr, type)
  return type
}

function innerType<L extends { readonly kind: string }>(
  node: InnerNode<L>,
  go: (e: Expr<L>) => DataType,
  functions: ReadonlyMap<string, FunctionSpec>,
): DataType {
  spend()
  switch (node.kind) {
    case 'literal':
    case 'parameter':
      return node.type
    case 'unary':
      return node.operator === 'not' ? BOOLEAN : go(node.operand)
    case 'binary':
      return binaryType(node, go)
    case 'call': {
      // Each argument is typed once: typing it twice at every depth of nested calls would take exponential time.
      const known = node.args.map((arg) => (isNull(arg) ? undefined : go(arg)))
      const args = known.map((type) => type ?? commonType(known.filter((each) => each !== undefined)))
      return functions.get(node.name)?.result(args, unitOf(node.args[0])) ?? args[0] ?? STRING
    }
    case 'case': {
      const values = [...node.branches.map((branch) => branch.then), ...(node.otherwise ? [node.otherwise] : [])]
      return commonType(values.filter((value) => !isNull(value)).map(go))
    }
    case 'cast':
      return node.type
    case 'in':
    case 'like':
    case 'is-null':
      return BOOLEAN
  }
}

/** The time unit in a first argument. */
const unitOf = (expr: { readonly kind: string } | undefined): string | undefined =>
  expr && isLiteral(expr) ? String(expr.value).toLowerCase() : undefined

/** NULL has no type, so it never decides one. */
const isNull = (expr: { readonly kind: string }): boolean => isLiteral(expr) && expr.value === null

function binaryType<L>(node: Binary<L>, go: (e: Expr<L>) => DataType): DataType {
  switch (node.operator) {
    case '/':
      return FLOAT
    case '+':
    case '-':
    case '*':
      return arithmeticType(node.operator, go(node.left), go(node.right))
    default:
      return BOOLEAN
  }
}

function arithmeticType(operator: '+' | '-' | '*', left: DataType, right: DataType): DataType {
  if (left.kind === 'int' && right.kind === 'int') return INT
  if (!isExact(left) || !isExact(right)) return FLOAT
  const [a, b] = [asDecimal(left), asDecimal(right)]
  if (operator === '*') {
    const scale = Math.min(MAX_PRECISION, a.scale + b.scale)
    return decimal(Math.min(MAX_PRECISION, a.precision + b.precision), scale)
  }
  const scale = Math.max(a.scale, b.scale)
  return decimal(Math.min(MAX_PRECISION, Math.max(a.precision - a.scale, b.precision - b.scale) + scale + 1), scale)
}

const isExact = (type: DataType): boolean => type.kind === 'int' || type.kind === 'decimal'
