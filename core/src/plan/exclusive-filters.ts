import { type Expr, isLiteral, type Literal } from '../model/expression/ast.js'
import { allOf, binary } from '../resolve/expressions.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import { isSame, unlike } from '../same.js'

/** The ranges that each of several filters allows for one column, so that no row satisfies two of them. */
export interface Exclusive {
  /** What every row that satisfies any filter satisfies; `undefined` if that is nothing. */
  readonly within: RowExpr | undefined
  /** Every row that is `within` satisfies one of the filters. */
  readonly isWhole: boolean
}

/** Whether no row can satisfy two of these filters, because they allow different values or disjoint ranges of one column. */
export function exclusive(filters: readonly RowExpr[]): Exclusive | undefined {
  const asked = filters.map((filter) => termsOf(filter, 'and').flatMap((condition) => columnSpans(condition) ?? []))
  const columns = unlike((asked[0] ?? []).map(({ operand }) => operand))
  for (const column of columns) {
    const spans = asked.map((all) => merged(all.filter((one) => isSame(one.operand, column)).map((one) => one.spans)))
    if (areApart(spans)) {
      const isWhole = filters.every((filter) => termsOf(filter, 'and').length === 1) && spans.flat().every(isPoint)
      return { within: around(column, spans.flat()), isWhole }
    }
  }
  return undefined
}

/** From `low` to `high`; an absent one is no bound. */
export interface Span {
  readonly low: Bound | undefined
  readonly high: Bound | undefined
}

export interface Bound {
  readonly value: Literal
  readonly inclusive: boolean
}

interface Asked<E extends RowExpr = RowExpr> {
  readonly operand: E
  readonly spans: readonly Span[]
}

/** The operands of a chain of one operator; a condition without it is the only one. */
export function termsOf(e: RowExpr, operator: 'and' | 'or'): readonly RowExpr[] {
  return e.kind === 'binary' && e.operator === operator ? [...termsOf(e.left, operator), ...termsOf(e.right, operator)] : [e]
}

/** The values that a condition allows for a column, if it compares one with literals. */
function columnSpans(condition: RowExpr): Asked<RelationColumn> | undefined {
  const asked = spansOf(condition)
  return asked?.operand.kind === 'column' ? { ...asked, operand: asked.operand } : undefined
}

/** The values that a condition allows for a value, if it compares it with literals. */
export function spansOf(condition: RowExpr): Asked | undefined {
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

const isPoint = ({ low, high }: Span): boolean => low !== undefined && low === high

/** Conditions in conjunction: values if one lists them, otherwise the bounds. */
function merged(conditions: readonly (readonly Span[])[]): readonly Span[] {
  const points = conditions.find((spans) => spans.every(isPoint))
  if (points || conditions.length === 0) return points ?? []
  const bounds = conditions.flat()
  return [{ low: bounds.find((one) => one.low)?.low, high: bounds.find((one) => one.high)?.high }]
}

/** Whether each filter has ranges, and no range of one overlaps a range of another. */
const areApart = (all: readonly (readonly Span[])[]): boolean =>
  all.every(
    (spans, i) =>
      spans.length > 0 &&
      all.slice(i + 1).every((others) => spans.every((a) => others.every((b) => isBefore(a, b) || isBefore(b, a)))),
  )

export function isBefore({ high }: Span, { low }: Span): boolean {
  if (!high || !low) return false
  const order = orderOf(high.value, low.value)
  return order !== undefined && (order < 0 || (order === 0 && !(high.inclusive && low.inclusive)))
}

/** Every value, if all are listed; otherwise from the smallest bound to the greatest. */
function around(column: RelationColumn, spans: readonly Span[]): RowExpr | undefined {
  if (spans.every(isPoint)) return { kind: 'in', operand: column, list: spans.flatMap(({ low }) => (low ? [low.value] : [])) }
  const low = outermost(
    spans.map((one) => one.low),
    -1,
  )
  const high = outermost(
    spans.map((one) => one.high),
    1,
  )
  return allOf(conditionsWithin(column, { low, high }))
}

/** That a value is in a range: a condition for each bound. */
export const conditionsWithin = (operand: RowExpr, { low, high }: Span): readonly RowExpr[] => [
  ...(low ? [binary(low.inclusive ? '>=' : '>', operand, low.value)] : []),
  ...(high ? [binary(high.inclusive ? '<=' : '<', operand, high.value)] : []),
]

/** The bound that includes all others; none if one of them is absent. */
function outermost(bounds: readonly (Bound | undefined)[], side: -1 | 1): Bound | undefined {
  return bounds.reduce((a, b) => {
    if (!a || !b) return undefined
    const order = (orderOf(a.value, b.value) ?? 0) * side
    return order > 0 || (order === 0 && a.inclusive) ? a : b
  })
}

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
