import { type Binary, type Expr, isInner, isLiteral } from '../model/expression/ast.js'
import type { Operator } from '../model/operators.js'
import type { FilterValue } from '../model/semantic-model.js'
import { before, includes, intersection, since, union } from '../time-zones/ranges.js'
import type { TimeContext } from './clock.js'
import { relativeSpan } from './conditions.js'
import { binary, FALSE } from './expressions.js'
import { type Conjunct, timedParts, type WhereLeaf } from './resolved-query.js'
import { type Micros, parseTime } from './time.js'
import { type OrderOperator, type TimeTest, timeComparer } from './time-comparison.js'
import type { TimeCondition } from './time-condition.js'

/** The bound of the times that a condition accepts: nothing, no time at all, anything, or everything on one side. */
type Bound =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'any' }
  | ({ readonly kind: 'at' } & TimeTest<WhereLeaf>)

type End = 'lower' | 'upper'
type Times = ReturnType<typeof timedParts>

const ANY: Bound = { kind: 'any' }
const NOTHING: Bound = { kind: 'nothing' }
const MISSING: Bound = { kind: 'missing' }

/** A conjunct on time without its lower bound; `undefined` if it has no upper one. */
export function upperBound(conjunct: Conjunct, time: TimeContext): Conjunct | undefined {
  const bound = new Ends('upper', conjunct.times, time).of(conjunct.expression, false)
  if (bound.kind === 'any' || bound.kind === 'missing') return undefined
  if (bound.kind === 'nothing') return { ...conjunct, expression: FALSE }
  const { expression, holds } = bound
  return { ...conjunct, expression, times: [{ expression, condition: { kind: 'up-to', admitted: holds } }] }
}

/** The first or last time that a conjunct on time accepts; `undefined` if there is none. */
export function momentAt(end: End, conjunct: Conjunct, time: TimeContext): Micros | undefined {
  const bound = new Ends(end, conjunct.times, time).of(conjunct.expression, false)
  if (bound.kind !== 'at') return undefined
  return end === 'lower' ? bound.holds[0]?.from : bound.holds.at(-1)?.to
}

const OPPOSITE: Partial<Record<Operator, Operator>> = {
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt',
  neq: 'eq',
  not_in: 'in',
  not_between: 'between',
  is_not_null: 'is_null',
  not_blank: 'blank',
}
const ORDERS: Readonly<Record<End, readonly OrderOperator[]>> = { lower: ['gt', 'gte'], upper: ['lt', 'lte'] }

class Ends {
  readonly #end: End
  readonly #times: Times
  readonly #time: TimeContext

  constructor(end: End, times: Conjunct['times'], time: TimeContext) {
    this.#end = end
    this.#times = timedParts(times)
    this.#time = time
  }

  of(expression: Expr<WhereLeaf>, negated: boolean): Bound {
    const known = this.#times.get(expression)
    if (known) return this.#ofCondition(known, expression, negated)
    switch (expression.kind) {
      case 'literal':
        return (expression.value === true) === negated ? NOTHING : ANY
      case 'unary':
        // A number is no condition, so the operator is NOT.
        return this.of(expression.operand, !negated)
      case 'binary':
        return this.#ofBinary(expression, negated)
      case 'in':
        return negated
          ? ANY
          : expression.list.map((value) => this.#upTo(expression.operand, value)).reduce((a, b) => this.#wider(a, b), NOTHING)
      case 'is-null':
        // A missing time is not a bound.
        return negated ? ANY : MISSING
      default:
        return ANY
    }
  }

  #ofCondition(condition: TimeCondition<WhereLeaf>, expression: Expr<WhereLeaf>, negated: boolean): Bound {
    if (condition.kind === 'up-to')
      return negated || this.#end === 'lower' ? ANY : { kind: 'at', holds: condition.admitted, expression }
    const { subject, comparison } = condition
    const { values, relative } = comparison
    const asked = negated ? OPPOSITE[comparison.operator] : comparison.operator
    const times = timeComparer(subject, comparison.path, this.#time)
    const [, orEqual] = ORDERS[this.#end] as [OrderOperator, OrderOperator]
    const upTo = (value: FilterValue | undefined): Bound =>
      value === null || value === undefined ? MISSING : { kind: 'at', ...times.order(orEqual, value) }
    switch (asked) {
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte':
        return ORDERS[this.#end].includes(asked) ? { kind: 'at', ...times.order(asked, values[0]!) } : ANY
      case 'eq':
        return upTo(values[0])
      case 'between':
        return upTo(values[this.#end === 'upper' ? 1 : 0])
      case 'in':
        return values.map(upTo).reduce((a, b) => this.#wider(a, b), NOTHING)
      case 'is_null':
      case 'blank':
        return MISSING
      case 'relative': {
        const [from, until] = relativeSpan(relative!, subject, this.#time)
        return { kind: 'at', ...(this.#end === 'upper' ? times.below(until) : times.from(from)) }
      }
      default:
        return ANY
    }
  }

  /** Of conditions that a query writes as an expression, those on dates and local times are understood. */
  #ofBinary(node: Binary<WhereLeaf>, negated: boolean): Bound {
    const { operator, left, right } = node
    if (operator === 'and' || operator === 'or') {
      const both = (operator === 'and') !== negated
      const [a, b] = [this.of(left, negated), this.of(right, negated)]
      return both ? this.#narrower(a, b) : this.#wider(a, b)
    }
    const asked = negated ? NEGATED[operator] : operator
    const exclusive = this.#end === 'upper' ? '<' : '>'
    if (asked === exclusive) return this.#upTo(left, right, exclusive)
    return asked === `${exclusive}=` || asked === '=' ? this.#upTo(left, right) : ANY
  }

  /** `left` is the field itself: for an expression over it, no bound is known. */
  #upTo(left: Expr<WhereLeaf>, right: Expr<WhereLeaf>, exclusive?: '<' | '>'): Bound {
    const at = isInner<WhereLeaf>(left) ? undefined : momentOf(right)
    if (at === undefined) return ANY
    const isUpper = this.#end === 'upper'
    const edge = (exclusive !== undefined) === isUpper ? at : at + 1n
    return {
      kind: 'at',
      holds: isUpper ? before(edge) : since(edge),
      expression: binary(exclusive ?? (isUpper ? '<=' : '>='), left, right),
    }
  }

  #wider(a: Bound, b: Bound): Bound {
    if (a.kind === 'any' || b.kind === 'nothing') return a
    if (b.kind === 'any' || a.kind === 'nothing') return b
    if (b.kind === 'missing') return a
    if (a.kind === 'missing') return b
    return joined('or', a, b)
  }

  #narrower(a: Bound, b: Bound): Bound {
    if (a.kind === 'nothing' || b.kind === 'any' || b.kind === 'missing') return a
    if (b.kind === 'nothing' || a.kind === 'any' || a.kind === 'missing') return b
    return joined('and', a, b)
  }
}

const NEGATED: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '=': '<>', '<>': '=' }

type At = Bound & { kind: 'at' }

/** Usually one of two bounds is within the other, which is then redundant. */
function joined(operator: 'and' | 'or', a: At, b: At): At {
  const holds = operator === 'or' ? union(a.holds, b.holds) : intersection(a.holds, b.holds)
  for (const one of [a, b]) if (includes(one.holds, holds) && includes(holds, one.holds)) return one
  return { kind: 'at', holds, expression: binary(operator, a.expression, b.expression) }
}

function momentOf(expression: Expr<WhereLeaf>): Micros | undefined {
  return isLiteral(expression) ? parseTime(String(expression.value))?.micros : undefined
}
