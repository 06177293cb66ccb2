/** Small factories that make the code of conditions readable. */
import { firstOf } from '../invariant.js'
import { BOOLEAN, type DataType, INT, STRING } from '../model/data-type.js'
import type { BinaryOperator, Expr, Literal } from '../model/expression/ast.js'
import { signedNumber } from '../model/expression/written-literal.js'
import type { RowExpr } from './relation-column.js'

/** A constant of a type. */
export const literal = (value: Literal['value'], type: DataType): Literal => ({ kind: 'literal', value, type })
export const TRUE = literal(true, BOOLEAN)
export const FALSE = literal(false, BOOLEAN)
export const integer = (value: number): Literal => literal(value, INT)
export const text = (value: string): Literal => literal(value, STRING)
export const nullOf = (type: DataType): Literal => literal(null, type)
/** NULL, whose type the engine knows, too. */
export const typedNull = (type: DataType): Expr<never> => ({ kind: 'cast', operand: nullOf(type), type })

/** An operator between two expressions. */
export const binary = <L>(operator: BinaryOperator, left: Expr<L>, right: Expr<L>): Expr<L> => ({
  kind: 'binary',
  operator,
  left,
  right,
})
/** The opposite of a condition. */
export const not = <L>(operand: Expr<L>): Expr<L> => ({ kind: 'unary', operator: 'not', operand })
/** Whether an expression is NULL. */
export const isNull = <L>(operand: Expr<L>): Expr<L> => ({ kind: 'is-null', operand })
export const isNotNull = <L>(operand: Expr<L>): Expr<L> => not(isNull(operand))
/** A call of a function of the portable catalogue. */
export const call = <L>(name: string, ...args: readonly Expr<L>[]): Expr<L> => ({ kind: 'call', name, args, portable: true })
export const coalesce = <L>(...args: readonly Expr<L>[]): Expr<L> =>
  args.length === 1 ? firstOf(args) : call('coalesce', ...args)

/** The value if a condition is true, otherwise NULL; without a condition the value. */
export const onlyWhere = <L>(condition: Expr<L> | undefined, value: Expr<L>): Expr<L> =>
  condition === undefined ? value : { kind: 'case', branches: [{ when: condition, then: value }], otherwise: undefined }

/** The conjunction; `undefined` for none. */
export const allOf = <L>(terms: readonly Expr<L>[]): Expr<L> | undefined =>
  terms.length === 0 ? undefined : joined('and', terms)

/** The disjunction; FALSE for none. */
export const anyOf = <L>(terms: readonly Expr<L>[]): Expr<L> => (terms.length === 0 ? FALSE : joined('or', terms))

const MAX_LEANING = 64

/** Many terms become a balanced tree instead of a deep one, because trees are traversed by recursion; their text is the same. */
function joined<L>(operator: 'and' | 'or', terms: readonly Expr<L>[]): Expr<L> {
  if (terms.length <= MAX_LEANING) return terms.reduce((left, right) => binary(operator, left, right))
  const half = Math.ceil(terms.length / 2)
  return binary(operator, joined(operator, terms.slice(0, half)), joined(operator, terms.slice(half)))
}

/** A default of the model as a literal. */
export function defaultLiteral(value: string | number | boolean): RowExpr {
  if (typeof value === 'boolean') return literal(value, BOOLEAN)
  return typeof value === 'number' ? signedNumber(String(value)) : literal(value, STRING)
}

/** Equal, or both NULL: the join of several row sets. The dialect defines its SQL. */
export const sameOrBothNull = <L>(own: Expr<L>, theirs: Expr<L>): Expr<L> => call('same', own, theirs)
