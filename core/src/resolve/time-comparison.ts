/**
 * Comparisons of a time with a timestamp or a period, as ranges of the stored values, so that partitions and indexes can be used. For an
 * instant these are the instants at which clocks in the query's zone show the period, so that filtering agrees with grouping.
 */
import { fail } from '../errors.js'
import { type DataType, formatDataType, isInDefaultZone } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import { type CalendarGrain, type Grain, nameOfGrain } from '../model/grain.js'
import { dayNamed, namesLike, periodName } from '../model/period-names.js'
import type { FilterValue } from '../model/semantic-model.js'
import { ALL, before, complement, difference, intersection, type Range, type Ranges, union } from '../time-zones/ranges.js'
import { instantOf, readBefore, shownBefore, wallAt } from '../time-zones/wall-clock.js'
import { timeLiteral } from './bucket.js'
import type { TimeContext } from './clock.js'
import { anyOf, binary } from './expressions.js'
import {
  ceil,
  dateText,
  isSubDay,
  MICROS_PER_DAY,
  type Micros,
  type ParsedTime,
  parseTime,
  shift,
  timestampText,
} from './time.js'
import type { Subject } from './time-condition.js'

/** A comparison, and the stored values for which it is true. */
export interface TimeTest<L> {
  readonly expression: Expr<L>
  readonly holds: Ranges
}

export type OrderOperator = 'gt' | 'gte' | 'lt' | 'lte'

/** Comparisons of one subject with values as queries write them. */
export interface TimeComparer<L> {
  equal(given: FilterValue): TimeTest<L>
  order(operator: OrderOperator, given: FilterValue): TimeTest<L>
  /** From a local time in the query's zone on. */
  from(wall: Micros): TimeTest<L>
  /** Before a local time in the query's zone. */
  below(wall: Micros): TimeTest<L>
  within(from: Micros, until: Micros): TimeTest<L>
  /** Both at once. */
  both(a: TimeTest<L>, b: TimeTest<L>): TimeTest<L>
  /** The local times at which a value begins and ends. */
  walls(given: FilterValue): readonly [from: Micros, until: Micros]
}

const SYMBOL = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Throws `INVALID_FILTER_VALUE`. */
export function timeComparer<L>(subject: Subject<L>, path: string, time: TimeContext): TimeComparer<L> {
  const shown = showing(subject.type, time)
  const test = (holds: Ranges): TimeTest<L> => ({ holds, expression: inRanges(holds, subject) })
  const meant = (given: FilterValue): Meant => meaning(given, subject, path, time)
  return {
    equal: (given) => {
      const { from, until, point } = meant(given)
      if (subject.grain && from === until) refuseBetweenPeriods(given, from, { ...subject, grain: subject.grain }, path)
      if (point === undefined) return test(difference(shown(until), shown(from)))
      return { ...test(pointIn(point, subject.type, time)), ...written('=', point, subject, time) }
    },
    order: (operator, given) => {
      const { from, until, point } = meant(given)
      const isBelow = operator === 'lt' || operator === 'lte'
      const propagatesNull = operator === 'lt' || operator === 'gte'
      const below =
        point === undefined ? shown(propagatesNull ? from : until) : belowPoint(point, propagatesNull, subject.type, time)
      const found = test(isBelow ? below : complement(below))
      return point === undefined ? found : { ...found, ...written(SYMBOL[operator], point, subject, time) }
    },
    from: (wall) => test(complement(shown(wall))),
    below: (wall) => test(shown(wall)),
    within: (from, until) => test(difference(shown(until), shown(from))),
    both: (a, b) => {
      const simple = a.holds.length === 1 && b.holds.length === 1
      return simple
        ? { holds: intersection(a.holds, b.holds), expression: binary('and', a.expression, b.expression) }
        : test(intersection(a.holds, b.holds))
    },
    walls: (given) => {
      const { from, until } = meant(given)
      return [from, until]
    },
  }
}

/**
 * The meaning of a value: the local times that it covers. If it is one timestamp and not a bucket, also that timestamp: an instant if the
 * type has instants.
 */
interface Meant {
  readonly from: Micros
  readonly until: Micros
  readonly point: Micros | undefined
}

function meaning<L>(given: FilterValue, subject: Subject<L>, path: string, time: TimeContext): Meant {
  const { grain, type } = subject
  const day = grain !== undefined && typeof given === 'string' ? dayNamed(given, grain) : undefined
  if (grain !== undefined && day !== undefined) {
    const from = BigInt(day) * MICROS_PER_DAY
    return { from, until: shift(from, grain, 1), point: undefined }
  }
  const parsed = parseTime(grain === 'year' && Number.isInteger(given) ? String(given).padStart(4, '0') : String(given))
  if (!parsed || (typeof given !== 'string' && grain !== 'year'))
    return typeof grain === 'object' && grain.calendar.label !== undefined
      ? unknownPeriod(given, subject, grain, path)
      : invalidTime(given, subject, 'an ISO 8601 date or date-time', path)
  if (parsed.isPeriod && typeof grain === 'object')
    return grain.calendar.label === undefined
      ? invalidTime(given, subject, `the date on which a ${grain.name} begins`, path)
      : unknownPeriod(given, subject, grain, path)
  const instants = isInstant(type, time)
  const wall = parsed.instant && instants ? wallAt(parsed.micros, time.zone) : parsed.micros
  const until = wall + (parsed.until - parsed.micros)
  if (grain !== undefined)
    return { from: ceil(wall, grain, time.weekStart), until: ceil(until, grain, time.weekStart), point: undefined }
  if (parsed.dateOnly && (type.kind !== 'date' || parsed.isPeriod)) return { from: wall, until, point: undefined }
  if (type.kind === 'date' && !parsed.dateOnly && parsed.micros % MICROS_PER_DAY !== 0n)
    return invalidTime(given, subject, 'a date without a time of day', path)
  return { from: wall, until, point: instants ? named(parsed, time) : wall }
}

/** Whether values of the type are compared as instants: those without zone are, if their zone is known. */
const isInstant = (type: DataType, { naiveZone }: TimeContext): boolean =>
  type.kind === 'timestamp_tz' || (isInDefaultZone(type) && naiveZone !== undefined)

/** A local time denotes the first of two instants, and the time of the jump if clocks skipped it. */
const named = ({ micros, instant }: ParsedTime, { zone }: TimeContext): Micros => (instant ? micros : instantOf(micros, zone))

/** The stored values of a type for which clocks in the query's zone show an earlier local time. */
function showing(type: DataType, time: TimeContext): (wall: Micros) => Ranges {
  if (!isInstant(type, time)) return before
  return (wall) => stored(shownBefore(wall, time.zone), type, time)
}

/** The stored values of a type for instants. */
function stored(instants: Ranges, type: DataType, { naiveZone }: TimeContext): Ranges {
  if (!isInDefaultZone(type) || naiveZone === undefined) return instants
  const until = (at: Micros): Ranges => readBefore(at, naiveZone)
  return instants
    .map(({ from, to }) => difference(to === undefined ? ALL : until(to), from === undefined ? [] : until(from)))
    .reduce<Ranges>(union, [])
}

const pointIn = (point: Micros, type: DataType, time: TimeContext): Ranges =>
  stored([{ from: point, to: point + 1n }], type, time)

const belowPoint = (point: Micros, propagatesNull: boolean, type: DataType, time: TimeContext): Ranges =>
  stored(before(propagatesNull ? point : point + 1n), type, time)

/** The plain comparison with a timestamp, if the column stores the compared values and the timestamp has a literal. */
function written<L>(
  operator: '=' | '<' | '<=' | '>' | '>=',
  point: Micros,
  { expression, type }: Subject<L>,
  { naiveZone }: TimeContext,
): { readonly expression?: Expr<L> } {
  const isElsewhere = isInDefaultZone(type) && naiveZone !== undefined
  if (isElsewhere || point < FIRST || point > LAST) return {}
  return { expression: binary(operator, expression, timeLiteral<L>(point, type)) }
}

/** The first and the last timestamp that have literals everywhere. No value is beyond them. */
const FIRST = parseTime('0001-01-01')!.micros
const LAST = parseTime('9999-12-31T23:59:59.999999')!.micros

/** Unknown for NULL, like any comparison, also if every other value or none satisfies it. */
function inRanges<L>(ranges: Ranges, { expression: x, type }: Subject<L>): Expr<L> {
  const at = (moment: Micros): Expr<L> => timeLiteral(moment, type)
  const within = ranges.flatMap(writable).map(({ from, to }) => {
    if (from === undefined) return to === undefined ? binary('=', x, x) : binary('<', x, at(to))
    const since = binary('>=', x, at(from))
    return to === undefined ? since : binary('and', since, binary('<', x, at(to)))
  })
  return within.length === 0 ? binary('<>', x, x) : anyOf(within)
}

/** Bounds without a literal are left open; a range beyond them is left out. */
function writable({ from, to }: Range): readonly Range[] {
  if ((from !== undefined && from > LAST) || (to !== undefined && to <= FIRST)) return []
  return [{ from: from !== undefined && from < FIRST ? undefined : from, to: to !== undefined && to > LAST ? undefined : to }]
}

/** A text that is neither a date nor the name of a period of a calendar whose periods have names. */
function unknownPeriod(given: FilterValue, { name }: Pick<Subject<unknown>, 'name'>, grain: CalendarGrain, path: string): never {
  const suggestions = namesLike(String(given), grain)
  return fail(
    'INVALID_PERIOD',
    `'${String(given).slice(0, 60)}' is no ${grain.name} of '${name}'; write its name, such as ${suggestions[0]}, or the date on which it begins`,
    { path, suggestions },
  )
}

/** No period begins at the value, so none is equal to it; `next` is the first one after it. */
function refuseBetweenPeriods(
  given: FilterValue,
  next: Micros,
  { grain, name }: Pick<Subject<unknown>, 'name'> & { readonly grain: Grain },
  path: string,
): never {
  const start = shift(next, grain, -1)
  const begins = isSubDay(grain) ? timestampText(start) : dateText(start)
  const called = periodName(Number(start / MICROS_PER_DAY), grain)
  const suggestions = [...(called === undefined ? [] : [called]), begins]
  return fail(
    'INVALID_PERIOD',
    `no ${nameOfGrain(grain)} of '${name}' begins on '${String(given)}'; the one that contains it begins on ${begins}${called === undefined ? '' : ` and is called ${called}`}`,
    { path, suggestions, hint: `give ${begins}, or compare with < and >=` },
  )
}

function invalidTime(
  given: FilterValue,
  { name, type }: Pick<Subject<unknown>, 'name' | 'type'>,
  wanted: string,
  path: string,
): never {
  const shown = typeof given === 'string' ? `'${given.slice(0, 60)}'` : String(given)
  return fail('INVALID_FILTER_VALUE', `${shown} does not fit '${name}' (${formatDataType(type)}); give ${wanted}`, { path })
}
