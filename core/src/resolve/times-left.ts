/** R: the times that conditions on a time leave, as local times in the zone of the query. */
import { isInDefaultZone } from '../model/data-type.js'
import { type Expr, isInner, isLiteral, leavesOf } from '../model/expression/ast.js'
import { ALL, before, complement, intersection, type Ranges, rangesOf, since, union } from '../time-zones/ranges.js'
import { wallAt } from '../time-zones/wall-clock.js'
import type { TimeContext } from './clock.js'
import { relativeSpan } from './conditions.js'
import { type Conjunct, timedParts, type WhereLeaf } from './resolved-query.js'
import { MICROS_PER_DAY, type Micros, parseTime } from './time.js'
import { timeComparer } from './time-comparison.js'
import type { TimeCondition } from './time-condition.js'

/** The times that meet all conjuncts, each of which reads only the time; `undefined` if a condition has another form. */
export function timesLeft(conjuncts: readonly Conjunct[], time: TimeContext): Ranges | undefined {
  return conjuncts.reduce<Ranges | undefined>((left, { expression, times }) => {
    const found = left && timesOf(expression, timedParts(times), time)
    return left && found && intersection(left, found)
  }, ALL)
}

type Times = ReturnType<typeof timedParts>

function timesOf(expression: Expr<WhereLeaf>, parts: Times, time: TimeContext): Ranges | undefined {
  const known = parts.get(expression)
  if (known) return known.kind === 'compared' ? timesCompared(known, time) : shown(known.admitted, expression, time)
  if (!isInner<WhereLeaf>(expression)) return undefined
  switch (expression.kind) {
    case 'literal':
      return expression.value === true ? ALL : []
    case 'unary': {
      // A number is no condition, so the operator is NOT.
      const inner = timesOf(expression.operand, parts, time)
      return inner && complement(inner)
    }
    case 'is-null':
      return isInner<WhereLeaf>(expression.operand) ? undefined : []
    case 'in': {
      if (isInner<WhereLeaf>(expression.operand)) return undefined
      const members = expression.list.map((value) => literalTimes(value))
      return members.includes(undefined) ? undefined : members.reduce<Ranges>((all, one) => union(all, one!), [])
    }
    case 'binary': {
      const { operator, left, right } = expression
      if (operator === 'and' || operator === 'or') {
        const [a, b] = [timesOf(left, parts, time), timesOf(right, parts, time)]
        return a && b && (operator === 'and' ? intersection(a, b) : union(a, b))
      }
      return isInner<WhereLeaf>(left) ? undefined : ordered(operator, literalTimes(right))
    }
    default:
      return undefined
  }
}

/** An instant is shown by the clocks of the query. */
function shown(stored: Ranges, expression: Expr<WhereLeaf>, { zone, naiveZone }: TimeContext): Ranges {
  const isInstant = leavesOf<WhereLeaf>(expression).some(
    (leaf) =>
      leaf.kind === 'where-field' &&
      (leaf.type.kind === 'timestamp_tz' || (naiveZone !== undefined && isInDefaultZone(leaf.type))),
  )
  if (!isInstant) return stored
  const wall = (at: Micros | undefined): Micros | undefined => (at === undefined ? undefined : wallAt(at, zone))
  return rangesOf(stored.map(({ from, to }) => ({ from: wall(from), to: wall(to) })))
}

function timesCompared(
  { subject, comparison: { operator, values, relative, path } }: TimeCondition<WhereLeaf> & { readonly kind: 'compared' },
  time: TimeContext,
): Ranges | undefined {
  if (relative) {
    const [from, to] = relativeSpan(relative, subject, time)
    return rangesOf([{ from, to }])
  }
  const { walls } = timeComparer(subject, path, time)
  const given = values.flatMap((value) => (value === null ? [] : [walls(value)]))
  const [first, second] = given
  const members = (): Ranges => rangesOf(given.map(([from, to]) => ({ from, to })))
  const span = (): Ranges => (first && second ? rangesOf([{ from: first[0], to: second[1] }]) : [])
  switch (operator) {
    case 'eq':
    case 'in':
      return members()
    case 'neq':
    case 'not_in':
      return complement(members())
    case 'between':
      return span()
    case 'not_between':
      return complement(span())
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return first && ordered(SYMBOL[operator], rangesOf([{ from: first[0], to: first[1] }]), first)
    case 'is_null':
    case 'blank':
      return []
    case 'is_not_null':
    case 'not_blank':
      return ALL
    default:
      return undefined
  }
}

const SYMBOL = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** The times that compare with a literal, which can be a whole day; a bucket can begin where it ends. */
function ordered(operator: string, of: Ranges | undefined, ends?: readonly [Micros, Micros]): Ranges | undefined {
  const [from, to] = ends ?? [of?.[0]?.from, of?.[0]?.to]
  if (from === undefined || to === undefined) return undefined
  switch (operator) {
    case '=':
      return of
    case '<>':
      return complement(of ?? [])
    case '<':
      return before(from)
    case '<=':
      return before(to)
    case '>':
      return since(to)
    case '>=':
      return since(from)
    default:
      return undefined
  }
}

function literalTimes(expression: Expr<WhereLeaf>): Ranges | undefined {
  if (!isLiteral(expression)) return undefined
  const at = parseTime(String(expression.value))?.micros
  return at === undefined ? undefined : [{ from: at, to: at + (expression.type.kind === 'date' ? MICROS_PER_DAY : 1n) }]
}
