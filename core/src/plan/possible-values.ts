import { type BinaryOperator, type InnerNode, isInner } from '../model/expression/ast.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'

/** The possible values of an expression: whether it can be NULL, and besides that nothing, one known value, or anything. */
export interface Possible {
  readonly mayBeNull: boolean
  readonly value: Known | 'none' | 'any'
}

interface Known {
  readonly is: boolean | number
}

type Comparison = Exclude<BinaryOperator, '+' | '-' | '*' | '/' | 'and' | 'or'>
type PossibleOf = (column: RelationColumn) => Possible

export const NULL: Possible = { mayBeNull: true, value: 'none' }
export const ANYTHING: Possible = { mayBeNull: true, value: 'any' }
export const known = (is: boolean | number): Possible => ({ mayBeNull: false, value: { is } })

/** Whether a condition can be true, given the possible values of its columns by `of`. */
export const canBeTrue = (condition: RowExpr, of: PossibleOf): boolean => mayBe(true, possible(condition, of))

/** The possible values of an expression, given those of its columns by `of`. */
export function possible(expression: RowExpr, of: PossibleOf): Possible {
  return isInner<RelationColumn>(expression) ? ofNode(expression, (one) => possible(one, of)) : of(expression)
}

function ofNode(node: InnerNode<RelationColumn>, read: (one: RowExpr) => Possible): Possible {
  switch (node.kind) {
    case 'literal':
      return ofLiteral(node.value)
    case 'parameter':
      return node.form === undefined ? ANYTHING : { mayBeNull: false, value: 'any' }
    case 'is-null':
      return isNull(read(node.operand))
    case 'unary':
      return node.operator === 'not' ? negated(read(node.operand)) : strict([read(node.operand)])
    case 'cast':
      // NaN and the infinities are not decimals, and become NULL.
      return { ...strict([read(node.operand)]), mayBeNull: true }
    case 'in':
      return strict([read(node.operand)])
    case 'like':
      return strict([read(node.operand), read(node.pattern)])
    case 'binary':
      return ofBinary(node.operator, read(node.left), read(node.right))
    case 'call':
      return ofCall(node.name, node.args.map(read))
    case 'case':
      return ofCase(
        node.branches.map(({ when, then }) => ({ when: read(when), then: read(then) })),
        node.otherwise ? read(node.otherwise) : NULL,
      )
  }
}

const isAlwaysNull = ({ value }: Possible): boolean => value === 'none'
const mayBe = (truth: boolean, { value }: Possible): boolean => value === 'any' || (value !== 'none' && value.is === truth)

/** NULL if one of its parts is NULL, and anything otherwise. */
function strict(parts: readonly Possible[]): Possible {
  return parts.some(isAlwaysNull) ? NULL : { mayBeNull: parts.some((one) => one.mayBeNull), value: 'any' }
}

/** Only engines can compare texts and long numbers. */
function ofLiteral(value: unknown): Possible {
  if (value === null) return NULL
  const isKnown = typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value))
  return isKnown ? known(value) : { mayBeNull: false, value: 'any' }
}

const isNull = ({ mayBeNull, value }: Possible): Possible =>
  value === 'none' ? known(true) : mayBeNull ? { mayBeNull: false, value: 'any' } : known(false)

const truth = ({
  mayBeTrue,
  mayBeFalse,
  mayBeNull,
}: {
  mayBeTrue: boolean
  mayBeFalse: boolean
  mayBeNull: boolean
}): Possible => ({
  mayBeNull,
  value: mayBeTrue && mayBeFalse ? 'any' : mayBeTrue ? { is: true } : mayBeFalse ? { is: false } : 'none',
})

const negated = (one: Possible): Possible =>
  truth({ mayBeTrue: mayBe(false, one), mayBeFalse: mayBe(true, one), mayBeNull: one.mayBeNull })

function ofBinary(operator: BinaryOperator, left: Possible, right: Possible): Possible {
  switch (operator) {
    case 'and':
      return both(left, right)
    case 'or':
      return negated(both(negated(left), negated(right)))
    case '+':
    case '-':
    case '*':
      return strict([left, right])
    case '/':
      return { ...strict([left, right]), mayBeNull: left.mayBeNull || !isNonZero(right) }
    default:
      return compared(operator, left, right)
  }
}

/** The result of a division by zero is NULL. */
const isNonZero = ({ mayBeNull, value }: Possible): boolean => !mayBeNull && typeof value !== 'string' && value.is !== 0

function both(left: Possible, right: Possible): Possible {
  const [leftTrue, rightTrue] = [mayBe(true, left), mayBe(true, right)]
  return truth({
    mayBeTrue: leftTrue && rightTrue,
    mayBeFalse: mayBe(false, left) || mayBe(false, right),
    mayBeNull: (left.mayBeNull && (right.mayBeNull || rightTrue)) || (right.mayBeNull && leftTrue),
  })
}

function compared(operator: Comparison, left: Possible, right: Possible): Possible {
  if (typeof left.value === 'string' || typeof right.value === 'string') return strict([left, right])
  return { mayBeNull: left.mayBeNull || right.mayBeNull, value: { is: holds(operator, left.value.is, right.value.is) } }
}

function holds(operator: Comparison, a: Known['is'], b: Known['is']): boolean {
  switch (operator) {
    case '=':
      return a === b
    case '<>':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
  }
}

function ofCall(name: string, args: readonly Possible[]): Possible {
  if (name === 'coalesce')
    return args.reduceRight((rest, one) => (one.mayBeNull ? either({ ...one, mayBeNull: false }, rest) : one), NULL)
  if (name === 'nullif') return args.slice(0, 1).some(isAlwaysNull) ? NULL : ANYTHING
  return isKnown(name) && args.some(isAlwaysNull) ? NULL : ANYTHING
}

/** A function of a plugin may return anything for NULL. */
const isKnown = (name: string): boolean => builtInFunctions.has(name) || name === 'in_zone' || name === 'from_zone'

/** One of several values: that of the first branch whose condition can be true, or of a later one. */
function ofCase(branches: readonly { readonly when: Possible; readonly then: Possible }[], otherwise: Possible): Possible {
  return branches.reduceRight((rest, { when, then }) => {
    if (!mayBe(true, when)) return rest
    return when.mayBeNull || mayBe(false, when) ? either(then, rest) : then
  }, otherwise)
}

function either(a: Possible, b: Possible): Possible {
  const mayBeNull = a.mayBeNull || b.mayBeNull
  if (a.value === 'none' || b.value === 'none') return { mayBeNull, value: a.value === 'none' ? b.value : a.value }
  const isSame = typeof a.value !== 'string' && typeof b.value !== 'string' && a.value.is === b.value.is
  return { mayBeNull, value: isSame ? a.value : 'any' }
}
