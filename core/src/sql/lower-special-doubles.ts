import { BOOLEAN, type DataType, FLOAT, INT } from '../model/data-type.js'
import type { Binary } from '../model/expression/ast.js'
import { allOf, anyOf, binary, call, integer, isNotNull, not } from '../resolve/expressions.js'
import { type AggregateCall, aggregate, type OrderItem, type SqlExpr, type SqlLeaf } from './statement.js'

/** Rewrites for NaN and the infinities on engines that treat them differently: NaN equals itself and is greater than all others. */

/** NULL if it is not finite. */
export const finite = (x: SqlExpr): SqlExpr => call('finite', x)

/** Aggregates of deviations from a mean. */
export const isStatistic = (name: string): boolean => /^(stddev|var|covar|corr|regr)/.test(name)

/** The statistic over finite values; NaN if there are others, and enough values. */
export function statistic(leaf: AggregateCall): SqlExpr {
  const [first, second] = leaf.args as [SqlExpr, SqlExpr?]
  // NULL if either is NULL, and not finite if either is not.
  const both = second ? binary('+', first, second) : first
  const kept = (x: SqlExpr): SqlExpr => (second ? where(isNotNull(finite(both)), x) : finite(x))
  const allFinite = binary('=', count(both), count(finite(both)))
  const nan = aggregate('sum', [binary('-', both, both)], FLOAT)
  const defined = definedWhen(leaf, both)
  return {
    kind: 'case',
    branches: [
      { when: allFinite, then: { ...leaf, args: leaf.args.map(kept) } },
      ...(defined ? [{ when: defined, then: nan as SqlExpr }] : []),
    ],
    otherwise: defined ? undefined : nan,
  }
}

/** A sample needs two values; a correlation and a slope need values that differ. */
function definedWhen({ name, args: [first, second] }: AggregateCall, both: SqlExpr): SqlExpr | undefined {
  if (name.endsWith('_samp')) return binary('>', count(both), integer(1))
  const spread = name === 'corr' ? [first!, second!] : name.startsWith('regr') ? [second!] : []
  return allOf(spread.map((x) => not(isConstant(where(isNotNull(both), x)))))
}

function isConstant(x: SqlExpr): SqlExpr {
  const [least, most] = [aggregate('min', [x], FLOAT), aggregate('max', [x], FLOAT)]
  return binary('and', binary<SqlLeaf>('=', least, most), binary('=', count(x), count(finite(x))))
}

/** The maximum of doubles, NaN if there is one; `of` are aggregates of them, over groups or windows. */
export function greatest(x: SqlExpr, of: (name: 'count' | 'sum' | 'max', value: SqlExpr, type: DataType) => SqlExpr): SqlExpr {
  const found = binary('>', of('count', where(isNan(x), integer(1)), INT), integer(0))
  return { kind: 'case', branches: [{ when: found, then: of('sum', x, FLOAT) }], otherwise: of('max', x, FLOAT) }
}

/** A comparison in which `left` or `right` may be NaN. */
export function compared(node: Binary<SqlLeaf>, left: boolean, right: boolean): SqlExpr {
  const { operator } = node
  if (operator === '<' || operator === '<=') {
    if (!right) return node
    const flipped = operator === '<' ? '>' : '>='
    return compared({ ...node, operator: flipped, left: node.right, right: node.left }, right, left)
  }
  if (operator === '<>') return left && right ? not(compared({ ...node, operator: '=' }, left, right)) : node
  const [a, b] = [node.left, node.right]
  if (operator === '=') return left && right ? anyOf([node, bothNan(a, b)]) : node
  // Only NaN reaches NaN, and no comparison with it is true.
  if (!left) return node
  if (!right) return not(binary(operator === '>' ? '<=' : '<', a, b))
  return anyOf([node, binary('and', isNan(a), operator === '>=' ? isNotNull(b) : not(isNan(b)))])
}

/** In descending order NaN comes first; where NULLs do, it is not NULL. */
export function placed(order: OrderItem): OrderItem[] {
  if (!order.descending && !order.nullsFirst) return [order]
  return [{ ...order, expression: isNan(order.expression), type: BOOLEAN }, order]
}

const isNan = (x: SqlExpr): SqlExpr => call('is_nan', x)
/** An equality of both sides, because some engines only join by equality. */
const bothNan = (a: SqlExpr, b: SqlExpr): SqlExpr => binary('and', binary('=', isNan(a), isNan(b)), isNan(a))
const count = (x: SqlExpr): SqlExpr => aggregate('count', [x], INT)
const where = (condition: SqlExpr, value: SqlExpr): SqlExpr => ({
  kind: 'case',
  branches: [{ when: condition, then: value }],
  otherwise: undefined,
})
