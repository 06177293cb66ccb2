/** Which expressions are numbers: a cast of one to a double is the same in every engine. */
import type { DataType, Expr } from '@grainline/core/language'

const TYPES = new Set(['int', 'float', 'decimal'])
const ARITHMETIC = new Set(['+', '-', '*', '/', '%'])
const CALLS = new Set('abs sign floor ceil round sqrt ln exp power mod length position extract date_diff'.split(' '))
/** Calls that give one of their values. */
const CHOICES = new Set(['coalesce', 'nullif', 'greatest', 'least'])

type TypeOf<L> = (leaf: L) => DataType | undefined

/** False where it is not known. */
export function isNumber<L extends { readonly kind: string }>(expr: Expr<L>, typeOf: TypeOf<L>): boolean {
  const node = expr as Expr<never>
  const is = (each: Expr<L>) => isNumber(each, typeOf)
  const isOrNull = (each: Expr<never>) => (each.kind === 'literal' && each.value === null) || is(each)
  switch (node.kind) {
    case 'literal':
      return node.value !== null && TYPES.has(node.type.kind)
    case 'unary':
      return node.operator !== 'not' && is(node.operand)
    case 'binary':
      return ARITHMETIC.has(node.operator) && is(node.left) && is(node.right)
    case 'call':
      return CALLS.has(node.name) || (CHOICES.has(node.name) && node.args.every(isOrNull) && node.args.some(is))
    case 'case': {
      const values = [...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])]
      return values.every(isOrNull) && values.some(is)
    }
    case 'cast':
      return TYPES.has(node.type.kind)
    case 'parameter':
    case 'in':
    case 'like':
    case 'is-null':
      return false
    default:
      return TYPES.has(typeOf(expr as L)?.kind ?? '')
  }
}
