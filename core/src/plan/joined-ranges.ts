import type { DataType } from '../model/data-type.js'
import { leavesOf } from '../model/expression/ast.js'
import { allOf, anyOf, isNotNull } from '../resolve/expressions.js'
import { isWholeColumn } from '../resolve/key-column.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import { isSame } from '../same.js'
import { commonRange } from './common-range.js'
import { type Bound, conditionsWithin, isBefore, orderOf, type Span, termsOf } from './spans.js'

/**
 * The condition with adjacent and overlapping ranges of one value merged: `x <= 30 OR x BETWEEN 31 AND 60` is `x <= 60`, and ranges without
 * a gap only require a value. The same rows satisfy it, because NULL is in no range. Other conditions are unchanged.
 */
export function joinedRanges(condition: RowExpr): RowExpr {
  if (condition.kind !== 'binary' || condition.operator !== 'or') return condition
  const ranges = termsOf(condition, 'or').map((one) => commonRange([one]))
  const operand = ranges[0]?.operand
  if (!operand || !isExact(operand) || !ranges.every((one) => isSame(one?.operand, operand))) return condition
  const spans = ranges.flatMap((one) => one?.span ?? [])
  const bounds = spans.flatMap(({ low, high }) => [low ?? [], high ?? []].flat())
  if (bounds.some(({ value }) => orderOf(value, bounds[0]?.value ?? value) === undefined)) return condition
  const joined = joinedSpans(spans, isWhole(operand))
  if (joined.length === spans.length) return condition
  return anyOf(joined.map((span) => allOf(conditionsWithin(operand, span)) ?? isNotNull(operand)))
}

/** Ranges of which none touches another, with the same values; whole numbers touch where they follow each other. */
export const joinedSpans = (spans: readonly Span[], whole: boolean): readonly Span[] =>
  spans.toSorted(byLow).reduce<readonly Span[]>((all, span) => withSpan(all, span, whole), [])

/** Ranges are sorted by their start; of those that start with one value, the one that includes it comes first. */
function byLow({ low: a }: Span, { low: b }: Span): number {
  if (!a || !b) return Number(a !== undefined) - Number(b !== undefined)
  return orderOf(a.value, b.value) || Number(b.inclusive) - Number(a.inclusive)
}

function withSpan(all: readonly Span[], span: Span, whole: boolean): readonly Span[] {
  const last = all.at(-1)
  if (!last || isApart(last, span, whole)) return [...all, span]
  return [...all.slice(0, -1), { low: last.low, high: higher(last.high, span.high) }]
}

/** Whether a value lies between the end of one range and the start of the next. */
function isApart(before: Span, after: Span, whole: boolean): boolean {
  const [end, start] = [before.high, after.low]
  if (!end || !start || !isBefore(before, after)) return false
  if (orderOf(end.value, start.value) === 0) return !end.inclusive && !start.inclusive
  const isNext = Number.isInteger(Number(end.value.value)) && Number(start.value.value) - Number(end.value.value) === 1
  return !(whole && isNext && end.inclusive && start.inclusive)
}

function higher(a: Bound | undefined, b: Bound | undefined): Bound | undefined {
  if (!a || !b) return undefined
  const order = orderOf(a.value, b.value) ?? 0
  return order > 0 || (order === 0 && a.inclusive) ? a : b
}

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*'])
const EXACT: ReadonlySet<DataType['kind']> = new Set(['int', 'decimal', 'date'])

/** A column, or a sum, difference or product of columns, whose values are never NaN and totally ordered. */
function isExact(e: RowExpr): boolean {
  const isArithmetic = (part: RowExpr): boolean =>
    part.kind === 'column' ||
    (part.kind === 'binary' && ARITHMETIC.has(part.operator) && [part.left, part.right].every(isArithmetic))
  return (
    isArithmetic(e) &&
    leavesOf<RelationColumn>(e).every(({ type, stored }) => EXACT.has(type.kind) && (stored === undefined || type.kind === 'int'))
  )
}

/** Whether no value lies between two that are adjacent. */
const isWhole = (e: RowExpr): boolean =>
  leavesOf<RelationColumn>(e).every((column) => column.type.kind === 'int' && isWholeColumn(column))
