import { both } from '../invariant.js'
import { asDecimal, type DataType, decimal, FLOAT, MAX_PRECISION } from '../model/data-type.js'
import { type Binary, isLiteral } from '../model/expression/ast.js'
import { binary, call, integer } from '../resolve/expressions.js'
import { type Digits, digitsOf } from './decimal-digits.js'
import type { LoweringContext } from './lowering-context.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

/** The left and right operands of an operator. */
type Sides<T> = [left: T, right: T]

/** The scale and precision that arithmetic keeps on every engine. Each step may have a digit or two more than planned. */
const KEPT_SCALE = 6
const KEPT_PRECISION = 34

/** An operation on numbers, with its sides already lowered: where needed, one of them gets the width of the result. */
export function arithmetic(node: Binary<SqlLeaf>, sides: Sides<SqlExpr>, context: LoweringContext): SqlExpr {
  if (node.operator === '/') return division(node, sides, context)
  const { dialect, typeOf } = context
  const [left, right] = sides
  const type = typeOf(node)
  if (!dialect.semantics.overflowGuard && type.kind === 'int' && mayOverflow(node)) {
    const wide: SqlExpr = { kind: 'cast', operand: left, type: decimal(MAX_PRECISION, 0) }
    return { kind: 'cast', operand: { ...node, left: wide, right }, type }
  }
  if (type.kind !== 'decimal') return { ...node, left, right }
  const wide = widened(node, sides, type, context)
  if (wide) return scaled({ ...node, ...wide }, type, context)
  if (!dialect.semantics.longScales && type.scale > KEPT_SCALE && type.precision > KEPT_PRECISION)
    return {
      ...node,
      ...narrowed(node, sides, [digitsOf(node.left, typeOf(node.left)), digitsOf(node.right, typeOf(node.right))]),
    }
  return scaled({ ...node, left, right }, type, context)
}

/** Doubles that represent the same decimal are equal after rounding to its scale. */
export function scaled(computed: SqlExpr, type: DataType, { dialect }: Pick<LoweringContext, 'dialect'>): SqlExpr {
  const plain = dialect.semantics.exactDecimals || type.kind !== 'decimal' || type.scale === 0
  return plain ? computed : { kind: 'cast', operand: computed, type }
}

export const asDouble = (expr: SqlExpr, type: DataType): SqlExpr =>
  type.kind === 'float' ? expr : { kind: 'cast', operand: expr, type: FLOAT }

function division(
  { left: dividend, right: divisor }: Binary<SqlLeaf>,
  [left, right]: Sides<SqlExpr>,
  { dialect, typeOf }: LoweringContext,
) {
  const { typedDoubles } = dialect.semantics
  const isDouble = (expr: SqlExpr, type: DataType) => (typedDoubles ? type.kind === 'float' : isWrittenDouble(expr))
  const isOne = isDouble(left, typeOf(dividend)) || isDouble(right, typeOf(divisor))
  const double: SqlExpr = isOne ? left : { kind: 'cast', operand: left, type: FLOAT }
  return binary('/', double, isNeverZero(divisor) || isNeverZero(right) ? right : call('nullif', right, integer(0)))
}

/** A double whatever the data: a cast, or a literal such as 0.5. */
const isWrittenDouble = (expr: SqlExpr): boolean =>
  isLiteral(expr) ? !Number.isInteger(Number(expr.value)) : expr.kind === 'cast' && expr.type.kind === 'float'

/** A literal, or what is NULL instead of 0 already. */
const isNeverZero = (expr: SqlExpr): boolean =>
  isLiteral(expr)
    ? expr.value !== null && Number(expr.value) !== 0
    : expr.kind === 'call' && expr.name === 'nullif' && expr.args[1] !== undefined && isZero(expr.args[1])
const isZero = (expr: SqlExpr): boolean => isLiteral(expr) && expr.value === 0

/** The sides of which one has the width of the result; `undefined` if the engine computes it without. */
function widened(
  node: Binary<SqlLeaf>,
  [left, right]: Sides<SqlExpr>,
  type: Digits,
  { dialect, typeOf }: LoweringContext,
): Pick<Binary<SqlLeaf>, 'left' | 'right'> | undefined {
  const given = both([node.left, node.right], (side) => asDecimal(typeOf(side)))
  const at = isLiteral(node.left) ? 1 : 0
  const isLongProduct = node.operator === '*' && type.scale > dialect.productScale
  const isShort = !dialect.semantics.wideDecimals && given.every((one) => one.precision < type.precision)
  if (!isLongProduct && !isShort) return undefined
  const to = isLongProduct ? decimal(MAX_PRECISION, type.scale) : decimal(type.precision, given[at].scale)
  const wide: SqlExpr = { kind: 'cast', operand: at === 0 ? left : right, type: to }
  return at === 0 ? { left: wide, right } : { left, right: wide }
}

/** The sides of a sum or product of 38 digits, with all planned digits after the point; the shorter whole part is kept first. */
function narrowed(node: Binary<SqlLeaf>, sides: Sides<SqlExpr>, given: Sides<Digits>): Pick<Binary<SqlLeaf>, 'left' | 'right'> {
  const isProduct = node.operator === '*'
  const scales = both(given, ({ scale }) => scale)
  const whole = both(given, ({ precision, scale }) => precision - scale)
  const room = Math.max(0, MAX_PRECISION - 1 - (isProduct ? scales[0] + scales[1] : Math.max(...scales)))
  const less = isProduct ? Math.min(...whole, Math.floor(room / 2)) : 0
  const side = (i: 0 | 1, other: 0 | 1): SqlExpr => {
    const digits = isProduct && whole[i] <= whole[other] ? less : Math.min(whole[i], room - less)
    return { kind: 'cast', operand: sides[i], type: decimal(digits + scales[i], scales[i]) }
  }
  return { left: isLiteral(node.left) ? sides[0] : side(0, 1), right: isLiteral(node.right) ? sides[1] : side(1, 0) }
}

/** A number that is written out moves another by too little to matter. */
const mayOverflow = ({ operator, left, right }: Binary<SqlLeaf>): boolean =>
  operator === '*' || !(isLiteral(left) || isLiteral(right))
