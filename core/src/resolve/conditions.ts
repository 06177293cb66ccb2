import { fail } from '../errors.js'
import { firstOf, itemAt } from '../invariant.js'
import { type DataType, FLOAT, formatDataType, INT, isNumeric, isTemporal } from '../model/data-type.js'
import { type ColumnRef, type Expr, leavesOf, nodeOf } from '../model/expression/ast.js'
import { signedNumber } from '../model/expression/written-literal.js'
import { OR_MISSING_BESIDE_NULL } from '../model/filter-value.js'
import { lengthOfGrain, nameOfGrain } from '../model/grain.js'
import { endsInEscape, type Operator } from '../model/operators.js'
import type { FilterValue, ModelCondition } from '../model/semantic-model.js'
import { isSame } from '../same.js'
import { currentPeriod, type TimeContext } from './clock.js'
import type { Condition } from './condition-tree.js'
import { allOf, anyOf, binary, call, FALSE, isNotNull, isNull, literal, not, TRUE, text } from './expressions.js'
import { ceil, isSubDay, type Micros, shift } from './time.js'
import { type OrderOperator, type TimeComparer, timeComparer } from './time-comparison.js'
import type { Comparison, RelativeSpan, Subject } from './time-condition.js'

/** The condition as a three-valued expression over the subject. Throws `INVALID_FILTER_VALUE`, `INVALID_FILTER_OPERATOR`. */
export function condition<L>(subject: Subject<L>, comparison: Comparison, time: TimeContext): Expr<L> {
  const { operator, values, path } = comparison
  const x = subject.expression
  if (values.some((value) => typeof value === 'string' && value.includes('\u0000')))
    fail('INVALID_FILTER_VALUE', 'a text with the character U+0000 has no SQL equivalent', { path })
  const compared = comparer(subject, path, time)
  switch (operator) {
    case 'eq':
      return oneValue(comparison) === null ? isNull(x) : compared.equal(oneValue(comparison))
    case 'neq':
      return oneValue(comparison) === null ? isNotNull(x) : not(compared.equal(oneValue(comparison)))
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return compared.order(operator, oneValue(comparison))
    case 'in':
    case 'not_in':
      return membership(x, values, compared, operator === 'not_in')
    case 'is_null':
      return isNull(x)
    case 'is_not_null':
      return isNotNull(x)
    case 'blank':
      return blank(subject)
    case 'not_blank':
      return not(blank(subject))
    case 'between':
    case 'not_between': {
      const within = compared.between(...twoValues(comparison))
      return operator === 'between' ? within : not(within)
    }
    case 'relative':
      return relative(subject, comparison, time)
    case 'exists':
    case 'nonexists':
      return fail('INVALID_FILTER_OPERATOR', `'${operator}' is a condition on another data object and is not allowed here`, {
        path,
      })
    default:
      return textCondition(subject, comparison)
  }
}

/** The condition, which is unknown where its subject has no value. Throws what `condition` throws. */
export function knownCondition<L>(subject: Subject<L>, comparison: Comparison, time: TimeContext): Condition<L> {
  const { orMissing, values, path } = comparison
  // A parameter may be null; all else was refused before.
  if (orMissing && values.includes(null)) fail('INVALID_FILTER_VALUE', OR_MISSING_BESIDE_NULL, { path })
  const unknown = isAlwaysKnown(comparison) ? undefined : isNull(subject.expression)
  return { kind: 'condition', expression: condition(subject, comparison, time), unknown, orMissing }
}

/** Whether the condition is true or false of every row, also where its subject has no value. */
function isAlwaysKnown({ operator, values }: Comparison): boolean {
  switch (operator) {
    case 'is_null':
    case 'is_not_null':
    case 'blank':
    case 'not_blank':
      return true
    case 'in':
    case 'not_in':
      return values.length === 0 || values.includes(null)
    default:
      return values.includes(null)
  }
}

interface Comparer<L> {
  equal(value: FilterValue): Expr<L>
  order(operator: OrderOperator, value: FilterValue): Expr<L>
  between(low: FilterValue, high: FilterValue): Expr<L>
}

const SYMBOL = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function comparer<L>(subject: Subject<L>, path: string, time: TimeContext): Comparer<L> {
  if (isTemporal(subject.type)) return comparerOfTimes(timeComparer(subject, path, time))
  const value = (given: FilterValue): Expr<L> => plainValue(given, subject, path)
  const order: Comparer<L>['order'] = (operator, given) => {
    if (subject.type.kind === 'boolean') refuseOperator(operator, subject, path)
    return binary(SYMBOL[operator], subject.expression, value(given))
  }
  return {
    equal: (given) => binary('=', subject.expression, value(given)),
    order,
    between: (low, high) => binary('and', order('gte', low), order('lte', high)),
  }
}

const comparerOfTimes = <L>(times: TimeComparer<L>): Comparer<L> => ({
  equal: (given) => times.equal(given).expression,
  order: (operator, given) => times.order(operator, given).expression,
  between: (low, high) => times.both(times.order('gte', low), times.order('lte', high)).expression,
})

function membership<L>(x: Expr<L>, values: readonly FilterValue[], compared: Comparer<L>, negated: boolean): Expr<L> {
  if (values.length === 0) return negated ? TRUE : FALSE
  const present = values.filter((v) => v !== null)
  const hasNull = present.length < values.length
  const inside =
    present.length === 0
      ? []
      : [
          mergeIn(
            x,
            present.map((v) => compared.equal(v)),
          ),
        ]
  if (!negated) return anyOf([...inside, ...(hasNull ? [isNull(x)] : [])])
  return allOf([...inside.map(not), ...(hasNull ? [isNotNull(x)] : [])]) ?? TRUE
}

/** Several equalities on one expression are written as one IN. */
function mergeIn<L>(x: Expr<L>, equalities: readonly Expr<L>[]): Expr<L> {
  const list: Expr<L>[] = []
  for (const e of equalities) {
    const node = nodeOf(e)
    if (node?.kind !== 'binary' || node.operator !== '=' || !isSame(node.left, x)) return anyOf(equalities)
    list.push(node.right)
  }
  return list.length === 1 ? firstOf(equalities) : { kind: 'in', operand: x, list }
}

function plainValue<L>(given: FilterValue, subject: Subject<L>, path: string): Expr<L> {
  const { type } = subject
  if (isNumeric(type)) return numericValue(given, subject, path)
  if (type.kind === 'boolean')
    return typeof given === 'boolean' ? literal(given, type) : invalidValue(given, subject, 'true or false', path)
  if (type.kind === 'time') {
    const ok = typeof given === 'string' && /^\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?$/.test(given)
    return ok ? literal(given, type) : invalidValue(given, subject, 'a time HH:MM[:SS]', path)
  }
  if (typeof given === 'string') return literal(given, type)
  return invalidValue(given, subject, 'a text', path)
}

const NUMERIC_TEXT = /^[+-]?(\d+(\.\d*)?|\.\d+)$/

function numericValue<L>(given: FilterValue, subject: Subject<L>, path: string): Expr<L> {
  const written = typeof given === 'number' ? String(given) : typeof given === 'string' ? given.trim() : ''
  if (NUMERIC_TEXT.test(written)) return signedNumber(written)
  const value = written === '' ? Number.NaN : Number(written)
  if (Number.isFinite(value)) return literal(value, FLOAT)
  return invalidValue(given, subject, 'a number', path)
}

function blank<L>(subject: Subject<L>): Expr<L> {
  const x = subject.expression
  if (subject.type.kind !== 'string') return isNull(x)
  return binary('or', isNull(x), binary('=', call('trim', x), text('')))
}

function textCondition<L>(subject: Subject<L>, comparison: Comparison): Expr<L> {
  const { operator, path } = comparison
  if (subject.type.kind !== 'string') refuseOperator(operator, subject, path)
  const x = subject.expression
  const value = oneValue(comparison)
  if (operator === 'length_eq' || operator === 'length_gt' || operator === 'length_lt') {
    const symbol = operator === 'length_eq' ? '=' : operator === 'length_gt' ? '>' : '<'
    return binary(symbol, call('length', x), numericValue(value, { ...subject, type: INT }, path))
  }
  if (typeof value !== 'string') return invalidValue(value, subject, 'a text', path)
  const lower = (e: Expr<L>): Expr<L> => call('lower', e)
  const like = (pattern: string): Expr<L> => ({ kind: 'like', operand: lower(x), pattern: lower(text(pattern)) })
  const plain = escapeLike(value)
  switch (operator) {
    case 'contains':
      return like(`%${plain}%`)
    case 'not_contains':
      return not(like(`%${plain}%`))
    case 'starts_with':
      return like(`${plain}%`)
    case 'ends_with':
      return like(`%${plain}`)
    case 'like':
      return { kind: 'like', operand: x, pattern: text(wholePattern(value, subject, path)) }
    case 'not_like':
      return not({ kind: 'like', operand: x, pattern: text(wholePattern(value, subject, path)) })
    case 'regex':
      return call('regexp_matches', x, text(value))
    case 'not_regex':
      return not(call('regexp_matches', x, text(value)))
    default:
      return refuseOperator(operator, subject, path)
  }
}

/** A pattern in which every backslash escapes a character. */
function wholePattern<L>(value: string, subject: Subject<L>, path: string): string {
  return endsInEscape(value)
    ? invalidValue(value, subject, 'a pattern that does not end in one backslash; two mean one', path)
    : value
}

const escapeLike = (value: string): string => value.replace(/[\\%_]/g, (c) => `\\${c}`)

function relative<L>(subject: Subject<L>, comparison: Comparison, time: TimeContext): Expr<L> {
  const { relative: range, path } = comparison
  if (!isTemporal(subject.type)) refuseOperator('relative', subject, path)
  if (!range) return fail('INVALID_RELATIVE_FILTER', `a relative filter needs {unit, count}`, { path })
  if (subject.type.kind === 'date' && isSubDay(range.unit)) {
    return fail('INVALID_RELATIVE_FILTER', `'${subject.name}' is a date and has no ${nameOfGrain(range.unit)}s`, { path })
  }
  return timeComparer(subject, path, time).within(...relativeSpan(range, subject, time)).expression
}

/** The local times between which a relative range lies. A bucket is compared by its start. */
export function relativeSpan(
  { unit, count, direction, include_current }: RelativeSpan,
  { grain }: Pick<Subject<unknown>, 'grain'>,
  { clock, weekStart }: TimeContext,
): readonly [from: Micros, until: Micros] {
  const current = currentPeriod(clock, unit)
  const first = direction === 'past' ? (include_current ? 1 - count : -count) : include_current ? 0 : 1
  // Ten thousand years are longer than the range of dates.
  const most = lengthOfGrain(unit) < lengthOfGrain('month') ? Number.POSITIVE_INFINITY : 120_000
  const bound = (periods: number): Micros => {
    const moment = shift(current, unit, Math.max(-most, Math.min(periods, most)))
    return grain ? ceil(moment, grain, weekStart) : moment
  }
  return [bound(first), bound(first + count)]
}

function oneValue({ values, operator, path }: Comparison): FilterValue {
  if (values.length === 1) return firstOf(values)
  return fail('INVALID_FILTER_VALUE', `'${operator}' takes one value, not ${values.length}`, { path })
}

function twoValues({ values, operator, path }: Comparison): readonly [FilterValue, FilterValue] {
  if (values.length === 2) return [firstOf(values), itemAt(values, 1)]
  return fail('INVALID_FILTER_VALUE', `'${operator}' takes a list of two values, not ${values.length}`, { path })
}

function invalidValue(
  given: FilterValue,
  subject: { readonly name: string; readonly type: DataType },
  wanted: string,
  path: string,
): never {
  const shown = typeof given === 'string' ? `'${given.slice(0, 60)}'` : String(given)
  return fail(
    'INVALID_FILTER_VALUE',
    `${shown} does not fit '${subject.name}' (${formatDataType(subject.type)}); give ${wanted}`,
    { path },
  )
}

function refuseOperator(operator: Operator, subject: { readonly name: string; readonly type: DataType }, path: string): never {
  return fail(
    'INVALID_FILTER_OPERATOR',
    `'${operator}' cannot be used on '${subject.name}', which is ${formatDataType(subject.type)}`,
    { path },
  )
}

/** The columns that a condition of the model reads. */
export function columnsOf(condition: ModelCondition): ColumnRef[] {
  switch (condition.kind) {
    case 'leaf':
      return [condition.column]
    case 'expression':
      return leavesOf(condition.expression)
    case 'exists':
    case 'group':
      return condition.filters.flatMap(columnsOf)
  }
}
