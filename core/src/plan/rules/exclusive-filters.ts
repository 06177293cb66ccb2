import { allOf } from '../../resolve/expressions.js'
import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import { isSame, unlike } from '../../same.js'
import {
  type Bound,
  conditionsWithin,
  isBefore,
  isPoint,
  type OperandSpans,
  orderOf,
  type Span,
  spansOf,
  termsOf,
} from '../spans.js'

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

/** The values that a condition allows for a column, if it compares one with literals. */
function columnSpans(condition: RowExpr): OperandSpans<RelationColumn> | undefined {
  const asked = spansOf(condition)
  return asked?.operand.kind === 'column' ? { ...asked, operand: asked.operand } : undefined
}

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

/** The bound that includes all others; none if one of them is absent. */
function outermost(bounds: readonly (Bound | undefined)[], side: -1 | 1): Bound | undefined {
  return bounds.reduce((a, b) => {
    if (!a || !b) return undefined
    const order = (orderOf(a.value, b.value) ?? 0) * side
    return order > 0 || (order === 0 && a.inclusive) ? a : b
  })
}
