import { type Expr, isLiteral, type Literal } from '../model/expression/ast.js'
import { binary } from '../resolve/expressions.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'

/** From `low` to `high`; an absent one is no bound. */
export interface Span {
  readonly low: Bound | undefined
  readonly high: Bound | undefined
}

export interface Bound {
  readonly value: Literal
  readonly inclusive: boolean
}

/** The values that a condition allows for an operand. */
export interface OperandSpans<E extends RowExpr = RowExpr> {
  readonly operand: E
  readonly spans: readonly Span[]
}

/** The operands of a chain of one operator; a condition without it is the only one. */
export function termsOf(e: RowExpr, operator: 'and' | 'or'): readonly RowExpr[] {
  return e.kind === 'binary' && e.operator === operator ? [...termsOf(e.left, operator), ...termsOf(e.right, operator)] : [e]
}

/** The values that a condition allows for a value, if it compares it with literals. */
export function spansOf(condition: RowExpr): OperandSpans | undefined {
  if (condition.kind === 'in') {
    const values = condition.list.filter(isComparable)
    return values.length === condition.list.length ? { operand: condition.operand, spans: values.map(pointAt) } : undefined
  }
  if (condition.kind !== 'binary' || !isComparable(condition.right)) return undefined
  const { operator, left: operand, right: value } = condition
  const bound = { value, inclusive: operator.endsWith('=') }
  switch (operator) {
    case '=':
      return { operand, spans: [pointAt(value)] }
    case '>':
    case '>=':
      return isOrdered(value) ? { operand, spans: [{ low: bound, high: undefined }] } : undefined
    case '<':
    case '<=':
      return isOrdered(value) ? { operand, spans: [{ low: undefined, high: bound }] } : undefined
    default:
      return undefined
  }
}

function pointAt(value: Literal): Span {
  const bound = { value, inclusive: true }
  return { low: bound, high: bound }
}

export const isPoint = ({ low, high }: Span): boolean => low !== undefined && low === high

/** Whether every value of one range is less than every value of another. */
export function isBefore({ high }: Span, { low }: Span): boolean {
  if (!high || !low) return false
  const order = orderOf(high.value, low.value)
  return order !== undefined && (order < 0 || (order === 0 && !(high.inclusive && low.inclusive)))
}

/** That a value is in a range: a condition for each bound. */
export const conditionsWithin = (operand: RowExpr, { low, high }: Span): readonly RowExpr[] => [
  ...(low ? [binary(low.inclusive ? '>=' : '>', operand, low.value)] : []),
  ...(high ? [binary(high.inclusive ? '<=' : '<', operand, high.value)] : []),
]

/** A literal that can be distinguished from others by its text alone. */
const isComparable = (e: Expr<RelationColumn>): e is Literal => isLiteral(e) && keyOf(e) !== undefined

/** The order of texts depends on the engine. */
const isOrdered = ({ type }: Literal): boolean => type.kind !== 'string'

/** Negative, zero or positive; `undefined` if it is not known. */
export function orderOf(a: Literal, b: Literal): number | undefined {
  const [one, two] = [keyOf(a), keyOf(b)]
  if (typeof one === 'number' && typeof two === 'number') return one - two
  if (typeof one !== 'string' || typeof two !== 'string' || a.type.kind !== b.type.kind) return undefined
  return one < two ? -1 : one > two ? 1 : 0
}

/** Numbers with so many digits differ as doubles if their texts differ. */
const EXACT_DIGITS = 15

/** Distinguishes a value from others of its kind, and orders it; some engines treat texts as equal that differ in case or spaces. */
function keyOf({ value, type }: Literal): number | string | undefined {
  switch (type.kind) {
    case 'int':
    case 'decimal':
    case 'float': {
      const written = String(value)
      return /^-?[\d.]+$/.test(written) && written.replace(/\D/g, '').length <= EXACT_DIGITS ? Number(written) : undefined
    }
    case 'date':
    case 'timestamp':
    case 'timestamp_tz':
      return typeof value === 'string' && /^\d{4}-/.test(value) ? value : undefined
    case 'string':
      return typeof value === 'string' ? value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim() : undefined
    default:
      return undefined
  }
}
