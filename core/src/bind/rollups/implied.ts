/** Whether the conditions of a question leave only rows that a rollup table has. */

import { isNumeric, isTemporal } from '../../model/data-type.js'
import { type Expr, isInner, isLiteral, type Literal } from '../../model/expression/ast.js'
import type { TimeContext } from '../../resolve/clock.js'
import type { Conjunct, FieldLeaf, WhereLeaf } from '../../resolve/resolved-query.js'
import { isSame } from '../../same.js'
import { includes } from '../../time-zones/ranges.js'
import { truthOfNull } from './null-truth.js'
import { onlyField, timesOf } from './times-of.js'

/** Equal to one of them, or a range or list of values of the same field that contains what they leave. A condition that NULL meets is contained only in another. */
export function isImplied(held: Conjunct, asked: readonly Conjunct[], time: TimeContext): boolean {
  if (asked.some(({ expression }) => isSame(expression, held.expression))) return true
  const leaf = onlyField(held)
  if (!leaf) return false
  const onField = asked.filter((one) => isSame(onlyField(one)?.members, leaf.members))
  const known = onField.filter((one) => truthOfNull(one.expression) !== undefined)
  const isNullKept = known.every((one) => truthOfNull(one.expression) === true)
  if (known.length === 0 || (isNullKept && truthOfNull(held.expression) !== true)) return false
  if (isTemporal(leaf.type)) return hasTimes(held, known, leaf, time)
  return isNumeric(leaf.type) ? isListed(held, known) || isWithin(held, known) : isListed(held, known)
}

function hasTimes(held: Conjunct, asked: readonly Conjunct[], leaf: FieldLeaf, time: TimeContext): boolean {
  const own = timesOf([held], leaf, time)
  const exact = asked.filter((one) => timesOf([one], leaf, time) !== undefined)
  const left = exact.length > 0 ? timesOf(exact, leaf, time) : undefined
  return own !== undefined && left !== undefined && includes(own, left)
}

function isListed(held: Conjunct, asked: readonly Conjunct[]): boolean {
  const own = valuesOf(held.expression)
  return asked.some((one) => {
    const values = valuesOf(one.expression)
    return own !== undefined && values?.every((value) => own.some((other) => isSame(other, value))) === true
  })
}

/** The values of an equality or a list. */
function valuesOf(expression: Expr<WhereLeaf>): readonly Literal[] | undefined {
  if (!isInner<WhereLeaf>(expression)) return undefined
  if (expression.kind === 'in' && !isInner<WhereLeaf>(expression.operand)) return literals(expression.list)
  if (expression.kind !== 'binary' || expression.operator !== '=' || isInner<WhereLeaf>(expression.left)) return undefined
  return literals([expression.right])
}

function literals(list: readonly Expr<WhereLeaf>[]): readonly Literal[] | undefined {
  const found = list.filter((one) => isLiteral(one))
  return found.length === list.length && found.every(({ value }) => value !== null) ? found : undefined
}

interface Interval {
  readonly from: number
  readonly to: number
  /** Whether the ends belong to it. */
  readonly hasFrom: boolean
  readonly hasTo: boolean
}

const EVERYTHING: Interval = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, hasFrom: true, hasTo: true }

function isWithin(held: Conjunct, asked: readonly Conjunct[]): boolean {
  const own = intervalOf(held.expression)
  const known = asked.flatMap(({ expression }) => intervalOf(expression) ?? [])
  if (!own || known.length === 0) return false
  const left = known.reduce(both)
  const isFrom = own.from < left.from || (own.from === left.from && (own.hasFrom || !left.hasFrom))
  const isTo = own.to > left.to || (own.to === left.to && (own.hasTo || !left.hasTo))
  return isFrom && isTo
}

/** NaN exceeds every number, so that only a bound that it does not meet keeps it out. */
function intervalOf(expression: Expr<WhereLeaf>): Interval | undefined {
  if (!isInner<WhereLeaf>(expression) || expression.kind !== 'binary') return undefined
  const { operator, left, right } = expression
  if (operator === 'and') {
    const [a, b] = [intervalOf(left), intervalOf(right)]
    return a && b && both(a, b)
  }
  const value = isInner<WhereLeaf>(left) ? undefined : numberOf(right)
  if (value === undefined) return undefined
  switch (operator) {
    case '=':
      return { from: value, to: value, hasFrom: true, hasTo: true }
    case '<':
    case '<=':
      return { ...EVERYTHING, to: value, hasTo: operator === '<=' }
    case '>':
    case '>=':
      return { ...EVERYTHING, from: value, hasFrom: operator === '>=' }
    default:
      return undefined
  }
}

function both(a: Interval, b: Interval): Interval {
  const [low, high] = [a.from > b.from ? a : b, a.to < b.to ? a : b]
  return {
    from: low.from,
    to: high.to,
    hasFrom: a.from === b.from ? a.hasFrom && b.hasFrom : low.hasFrom,
    hasTo: a.to === b.to ? a.hasTo && b.hasTo : high.hasTo,
  }
}

/** Two numbers of so many digits are different doubles. */
const EXACT_DIGITS = 15

/** A literal has its sign. */
function numberOf(expression: Expr<WhereLeaf>): number | undefined {
  if (!isLiteral(expression)) return undefined
  const text = String(expression.value)
  const isExact = /^[+-]?[\d.]+$/.test(text) && text.replaceAll(/\D/g, '').length <= EXACT_DIGITS
  return isExact ? Number(text) : undefined
}
