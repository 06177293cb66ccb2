import { fail } from '../errors.js'
import { type DataType, FLOAT, formatDataType, INT, isNumeric, isTemporal, TIMESTAMP_TZ } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import { signedNumber } from '../model/expression/written-literal.js'
import type { Grain } from '../model/grain.js'
import type { Operator } from '../model/operators.js'
import type { FilterValue } from '../model/semantic-model.js'
import { bucketType, timeLiteral } from './bucket.js'
import { allOf, anyOf, binary, call, FALSE, isNotNull, isNull, literal, not, TRUE, text } from './expressions.js'
import { ceil, floor, isSubDay, MICROS_PER_DAY, type Micros, type ParsedTime, parseTime, shift } from './time.js'
import type { TimeContext } from './time-context.js'

/** What a condition compares: an expression of `type`, seen in buckets of `grain` where one is declared. */
export interface Subject<L> {
  readonly expression: Expr<L>
  readonly type: DataType
  readonly grain: Grain | undefined
  /** For messages. */
  readonly name: string
}

export interface Comparison {
  readonly operator: Operator
  readonly values: readonly FilterValue[]
  readonly relative?: {
    readonly unit: Grain
    readonly count: number
    readonly direction: 'past' | 'future'
    readonly include_current: boolean
  }
  readonly path: string
}

/** The condition as a three-valued expression over the subject (`semantics.md` §5). Throws `INVALID_FILTER_VALUE`, `INVALID_FILTER_OPERATOR`. */
export function condition<L>(subject: Subject<L>, comparison: Comparison, time: TimeContext): Expr<L> {
  const { operator, values, path } = comparison
  const x = subject.expression
  if (values.some((value) => typeof value === 'string' && value.includes('\u0000')))
    fail('INVALID_FILTER_VALUE', 'a text with the character U+0000 cannot be said in SQL', { path })
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
      const [low, high] = twoValues(comparison)
      const within = binary('and', compared.order('gte', low), compared.order('lte', high))
      return operator === 'between' ? within : not(within)
    }
    case 'relative':
      return relative(subject, comparison, time)
    case 'exists':
    case 'nonexists':
      return fail('INVALID_FILTER_OPERATOR', `'${operator}' is a condition on another data object and cannot stand here`, {
        path,
      })
    default:
      return textCondition(subject, comparison)
  }
}

interface Comparer<L> {
  equal(value: FilterValue): Expr<L>
  order(operator: 'gt' | 'gte' | 'lt' | 'lte', value: FilterValue): Expr<L>
}

const SYMBOL = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function comparer<L>(subject: Subject<L>, path: string, time: TimeContext): Comparer<L> {
  if (isTemporal(subject.type)) return temporalComparer(subject, path, time)
  const value = (given: FilterValue): Expr<L> => plainValue(given, subject, path)
  return {
    equal: (given) => binary('=', subject.expression, value(given)),
    order: (operator, given) => {
      if (subject.type.kind === 'boolean') refuseOperator(operator, subject, path)
      return binary(SYMBOL[operator], subject.expression, value(given))
    },
  }
}

/** Comparisons of times and of buckets become half-open ranges on the bare expression, so that partitions and indexes serve. */
function temporalComparer<L>(subject: Subject<L>, path: string, time: TimeContext): Comparer<L> {
  const x = subject.expression
  const at = (moment: Micros): Expr<L> => timeLiteral(moment, subject.type, time.zone)
  return {
    equal: (given) => {
      const { direct, from, to } = moments(given, subject, path, time)
      if (direct) return binary('=', x, direct)
      return binary('and', binary('>=', x, at(from)), binary('<', x, at(to)))
    },
    order: (operator, given) => {
      const { direct, below, upTo } = moments(given, subject, path, time)
      if (direct) return binary(SYMBOL[operator], x, direct)
      const bound = operator === 'lt' || operator === 'gte' ? below : upTo
      return binary(operator === 'lt' || operator === 'lte' ? '<' : '>=', x, at(bound))
    },
  }
}

interface Moments<L> {
  /** The value itself, where it is compared as it is. */
  readonly direct?: Expr<L>
  /** The value equals those in [from, to): empty (from = to) for a value that is no bucket start. */
  readonly from: Micros
  readonly to: Micros
  /** x is less than the value exactly when x < below; at most the value exactly when x < upTo. */
  readonly below: Micros
  readonly upTo: Micros
}

function moments<L>(given: FilterValue, subject: Subject<L>, path: string, time: TimeContext): Moments<L> {
  const parsed = typeof given === 'string' ? parseTime(given) : undefined
  if (!parsed) return invalidValue(given, subject, 'an ISO 8601 date or date-time', path)
  const { grain, type } = subject
  const value = wallClock(parsed, type, time)
  const bucketed = grain ? bucketType(grain) : type
  const wholeDay = { from: value, to: value + MICROS_PER_DAY, below: value, upTo: value + MICROS_PER_DAY }
  if (parsed.dateOnly && bucketed.kind !== 'date') return wholeDay
  if (grain === undefined) {
    if (type.kind === 'date' && value % MICROS_PER_DAY !== 0n)
      return invalidValue(given, subject, 'a date without a time of day', path)
    const direct: Expr<L> =
      parsed.instant && type.kind === 'timestamp_tz'
        ? timeLiteral(parsed.micros, TIMESTAMP_TZ, 'UTC')
        : timeLiteral(value, type, time.zone)
    return { ...wholeDay, direct }
  }
  const below = ceil(value, grain, time.weekStart)
  const upTo = shift(floor(value, grain, time.weekStart), grain, 1)
  return { from: below, to: below === value ? upTo : below, below, upTo }
}

/** The wall clock that the value names. An instant compared with buckets is read in the query's zone; a naive one is taken as written. */
function wallClock(parsed: ParsedTime, type: DataType, time: TimeContext): Micros {
  if (!parsed.instant || type.kind !== 'timestamp_tz') return parsed.micros
  return parsed.micros + zoneOffset(parsed.micros, time.zone)
}

/** Offset of `zone` from UTC at an instant, in microseconds. */
export function zoneOffset(instant: Micros, zone: string): Micros {
  const second = floor(instant, 'second', 'monday')
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(Number(second / 1000n)))
  const part = (type: string): number => Number(parts.find((p) => p.type === type)?.value)
  const wall = new Date(Date.UTC(2000, 0, 1, part('hour'), part('minute'), part('second')))
  wall.setUTCFullYear(part('year'), part('month') - 1, part('day'))
  return BigInt(wall.getTime()) * 1000n - second
}

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

/** Several equalities on one expression read better as one IN. */
function mergeIn<L>(x: Expr<L>, equalities: readonly Expr<L>[]): Expr<L> {
  const list: Expr<L>[] = []
  for (const e of equalities) {
    if ((e as { kind: string }).kind !== 'binary') return anyOf(equalities)
    const node = e as { readonly operator: string; readonly left: Expr<L>; readonly right: Expr<L> }
    if (node.operator !== '=' || node.left !== x) return anyOf(equalities)
    list.push(node.right)
  }
  return list.length === 1 ? equalities[0]! : { kind: 'in', operand: x, list }
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
      return { kind: 'like', operand: x, pattern: text(value) }
    case 'not_like':
      return not({ kind: 'like', operand: x, pattern: text(value) })
    case 'regex':
      return call('regexp_matches', x, text(value))
    case 'not_regex':
      return not(call('regexp_matches', x, text(value)))
    default:
      return refuseOperator(operator, subject, path)
  }
}

const escapeLike = (value: string): string => value.replace(/[\\%_]/g, (c) => `\\${c}`)

function relative<L>(subject: Subject<L>, comparison: Comparison, time: TimeContext): Expr<L> {
  const { relative: range, path } = comparison
  if (!isTemporal(subject.type)) refuseOperator('relative', subject, path)
  if (!range) return fail('INVALID_RELATIVE_FILTER', `a relative filter needs {unit, count}`, { path })
  const current = time.clock.current(range.unit)
  const move = (periods: number): Micros => shift(current, range.unit, periods)
  const [from, to] =
    range.direction === 'past'
      ? [move(range.include_current ? 1 - range.count : -range.count), move(range.include_current ? 1 : 0)]
      : [move(range.include_current ? 0 : 1), move(range.include_current ? range.count : range.count + 1)]
  if (subject.type.kind === 'date' && isSubDay(range.unit)) {
    return fail('INVALID_RELATIVE_FILTER', `'${subject.name}' is a date and has no ${range.unit}s`, { path })
  }
  // A bucket is compared by its start.
  const bound = (moment: Micros): Micros => (subject.grain ? ceil(moment, subject.grain, time.weekStart) : moment)
  const at = (moment: Micros): Expr<L> => timeLiteral(bound(moment), subject.type, time.zone)
  return binary('and', binary('>=', subject.expression, at(from)), binary('<', subject.expression, at(to)))
}

function oneValue({ values, operator, path }: Comparison): FilterValue {
  if (values.length === 1) return values[0]!
  return fail('INVALID_FILTER_VALUE', `'${operator}' takes one value, not ${values.length}`, { path })
}

function twoValues({ values, operator, path }: Comparison): readonly [FilterValue, FilterValue] {
  if (values.length === 2) return [values[0]!, values[1]!]
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
