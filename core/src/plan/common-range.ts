import type { RowExpr } from '../resolve/relation-column.js'
import { isSame } from '../same.js'
import { type Bound, orderOf, type Span, spansOf, termsOf } from './spans.js'

/** A value and the range it lies in. */
export interface Range {
  readonly operand: RowExpr
  readonly span: Span
}

/** The range of the rows that satisfy all conditions, if each of them bounds the same value; `undefined` if no value lies in it. */
export function commonRange(conditions: readonly RowExpr[]): Range | undefined {
  const asked = conditions.flatMap((condition) => termsOf(condition, 'and')).map((term) => spansOf(term))
  const operand = asked[0]?.operand
  const spans = asked.flatMap((one) => (one?.spans.length === 1 && isSame(one.operand, operand) ? one.spans : []))
  if (!operand || spans.length < asked.length) return undefined
  const [lows, highs] = [spans.flatMap(({ low }) => low ?? []), spans.flatMap(({ high }) => high ?? [])]
  const [first, ...others] = [...lows, ...highs]
  if (!first || others.some(({ value }) => orderOf(value, first.value) === undefined)) return undefined
  const span = { low: innermost(lows, 1), high: innermost(highs, -1) }
  return isEmpty(span) ? undefined : { operand, span }
}

/** The greatest lower bound, or with -1 the least upper bound. Of two with one value, the exclusive one. */
function innermost(bounds: readonly Bound[], sign: 1 | -1): Bound | undefined {
  return bounds.toSorted((a, b) => sign * (orderOf(b.value, a.value) ?? 0) || Number(a.inclusive) - Number(b.inclusive)).at(0)
}

function isEmpty({ low, high }: Span): boolean {
  if (!low || !high) return false
  const order = orderOf(low.value, high.value)
  return order === undefined || order > 0 || (order === 0 && !(low.inclusive && high.inclusive))
}
