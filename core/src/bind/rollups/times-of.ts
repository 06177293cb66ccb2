/** The times that conditions on one time leave, where they say them exactly. */
import { type Expr, isInner } from '../../model/expression/ast.js'
import type { TimeContext } from '../../resolve/clock.js'
import { type Conjunct, type FieldLeaf, timedParts, type WhereLeaf } from '../../resolve/resolved-query.js'
import { parseTime } from '../../resolve/time.js'
import type { TimeCondition } from '../../resolve/time-condition.js'
import { timesLeft } from '../../resolve/times-left.js'
import type { Ranges } from '../../time-zones/ranges.js'
import { shownBefore } from '../../time-zones/wall-clock.js'

/** The only field that conditions read; `undefined` if they read several, or rows of other objects. */
export function onlyField({ leaves }: Pick<Conjunct, 'leaves'>): FieldLeaf | undefined {
  const [leaf, ...more] = leaves
  if (leaf?.kind !== 'where-field' || leaf.members.length > 1) return undefined
  return more.every((other) => other.kind === 'where-field' && other.name === leaf.name && other.members.length === 1)
    ? leaf
    : undefined
}

/** As local times in the zone of the question; `undefined` if a condition has another form, or compares with a time of day whose instant matters. */
export function timesOf(conjuncts: readonly Conjunct[], leaf: FieldLeaf, time: TimeContext): Ranges | undefined {
  const isExact = leaf.type.kind === 'date' || conjuncts.every((one) => isOfDays(one.expression, timedParts(one.times)))
  const left = isExact ? timesLeft(conjuncts, time) : undefined
  if (!left || leaf.type.kind === 'date') return left
  // Where clocks show a time twice, the times before it are no range of instants.
  const bounds = left.flatMap(({ from, to }) => [from, to].filter((at) => at !== undefined))
  return bounds.every((at) => shownBefore(at, time.zone).length === 1) ? left : undefined
}

/** Whether each comparison is one of whole days or periods, which a query writes as a condition. */
function isOfDays(expression: Expr<WhereLeaf>, parts: ReturnType<typeof timedParts>): boolean {
  const known = parts.get(expression)
  if (known) return isOfWholeDays(known)
  if (!isInner<WhereLeaf>(expression)) return false
  if (expression.kind === 'literal') return true
  if (expression.kind === 'is-null') return true
  if (expression.kind === 'unary') return isOfDays(expression.operand, parts)
  // A comparison compares a field, or what is computed of one: neither is a condition.
  return expression.kind === 'binary' && isOfDays(expression.left, parts) && isOfDays(expression.right, parts)
}

function isOfWholeDays(condition: TimeCondition<WhereLeaf>): boolean {
  if (condition.kind !== 'compared') return false
  const { subject, comparison } = condition
  if (subject.grain !== undefined || comparison.relative) return true
  return comparison.values.every((value) => value === null || parseTime(String(value))?.dateOnly === true)
}
