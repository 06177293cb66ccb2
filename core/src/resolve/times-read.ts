/** The times that the aggregates below a metric over time read, in place of those that the query leaves (docs/time.md). */
import { fail } from '../errors.js'
import { type Grain, nameOfGrain } from '../model/grain.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { ALL, complement, difference, intersection, type Range, type Ranges, union } from '../time-zones/ranges.js'
import type { TimeContext } from './clock.js'
import { anyOf, FALSE, isNotNull } from './expressions.js'
import { knownLeft } from './known-left.js'
import { type LevelPeriods, type Move, movedRange, periodAt, type Span } from './moved-range.js'
import { type Conjunct, type FieldLeaf, nameOfDimension, type ResolvedDimension, type WhereLeaf } from './resolved-query.js'
import { dateText, floor, isSubDay } from './time.js'
import { type TimeTest, timeComparer } from './time-comparison.js'

/** The times of a value: those that the query leaves, or leaves of one period, moved. */
export interface TimesRead {
  readonly metric: string
  readonly path: string
  /** The time on whose column the conditions are. */
  readonly time: ResolvedDimension
  /** The conditions on the time among those that an aggregate of `base` sees. */
  readonly onTime: (seen: readonly Conjunct[], base?: string) => readonly Conjunct[]
  readonly level: LevelPeriods
  readonly moves: readonly Move[]
  readonly clocks: TimeContext
  readonly model: SemanticModel
  /** The period of the only row that is meant. */
  readonly period?: Span | undefined
  /** The window of a running value that ends with a range. */
  readonly window?: ((range: Range) => Range) | undefined
  /** A period that the query cuts counts as a whole. */
  readonly isWhole: boolean
}

/** The conditions of an aggregate that reads one range. */
export function conjunctsInRange(
  read: TimesRead,
  seen: readonly Conjunct[],
  base: string | undefined,
  isTimed: boolean,
): readonly Conjunct[] {
  const rest = withoutTimes(read, seen, base)
  const moved = rangeIn(read, seen, base, isTimed)
  if (!moved) return [...rest, conditionOn(read, [])]
  const times: Range = read.window ? read.window(moved) : moved
  // A range that has an end leaves out the rows without a time, also where it is moved to one that has none.
  if (!isTimed && isEndless(times) && leftBy(read, seen, base).every(isEndless)) return rest
  return [...rest, conditionOn(read, isEmpty(times) ? [] : [times])]
}

/** The range of an aggregate, without a window that ends with it; `undefined` if the query leaves none. One whose grain has no time has no period. */
export function rangeIn(
  read: TimesRead,
  seen: readonly Conjunct[],
  base: string | undefined,
  isTimed: boolean,
): Range | undefined {
  const left = leftBy(read, seen, base)
  const isOfPeriod = isTimed && read.period !== undefined
  const own = !isOfPeriod ? left : read.isWhole ? [read.period!] : intersection(left, [read.period!])
  if (own.length === 0 && !isOfPeriod) return undefined
  // A period that the conditions leave out altogether is read as a whole.
  return movedBy(read, own.length === 0 ? read.period! : rangeOf(own, read), isTimed)
}

/** Without the conditions on the time. */
export function withoutTimes({ onTime }: TimesRead, seen: readonly Conjunct[], base?: string): readonly Conjunct[] {
  const past = new Set(onTime(seen, base))
  return past.size === 0 ? seen : seen.filter((c) => !past.has(c))
}

/** The times that conditions leave; a form that is not understood is refused. */
function leftBy(read: TimesRead, seen: readonly Conjunct[], base?: string): Ranges {
  const { onTime, metric, path } = read
  const found = knownTimes(read, seen, base)
  if (found) return found
  const conjuncts = onTime(seen, base)
  const fields = conjuncts.flatMap((c) => c.fields)
  return fail(
    'TIME_FILTER_NOT_A_RANGE',
    `'${metric}' compares ranges of time, and the filter on '${fields[0]}' is none that can be moved`,
    { path: conjuncts[0]?.path ?? path, hint: 'compare the time with dates, such as between' },
  )
}

export const movedBy = ({ moves, level }: Pick<TimesRead, 'moves' | 'level'>, range: Range, isTimed: boolean): Range =>
  moves.reduce((at, move) => (isEmpty(at) ? at : movedRange(at, move, isTimed ? level : { ...level, grain: undefined })), range)

const isEmpty = ({ from, to }: Range): boolean => from !== undefined && to !== undefined && from >= to

const isEndless = ({ from, to }: Range): boolean => from === undefined && to === undefined

function rangeOf(ranges: Ranges, read: TimesRead): Range {
  const [range, more] = ranges
  return range && more === undefined ? range : refuseParts(read)
}

export function refuseParts({ metric, path, time, level: { grain } }: TimesRead, period?: Span): never {
  const [cut, finer] =
    period && grain
      ? [`the ${nameOfGrain(grain)} of ${dateText(period.from)}`, `a grain finer than ${nameOfGrain(grain)}`]
      : ['the time', 'a finer grain']
  const example = grain === undefined || isDayOrLess(grain) ? '' : `, such as '${nameOfDimension(time)}:day'`
  return fail(
    'TIME_FILTER_NOT_A_RANGE',
    `'${metric}' compares one range of time, and the filters leave several parts of ${cut}`,
    { path, hint: `filter the time by one range, or select it at ${finer}${example}` },
  )
}

const isDayOrLess = (grain: Grain): boolean => grain === 'day' || isSubDay(grain)

/**
 * The times that conditions leave; `undefined` if one of them is no comparison with times. It can cut periods, too, but nothing is known of it: the
 * days of a named period are in a table, and so are the periods of days.
 */
export function knownTimes(
  { onTime, clocks, model, time }: Pick<TimesRead, 'onTime' | 'clocks' | 'model' | 'time'>,
  seen: readonly Conjunct[],
  base?: string,
): Ranges | undefined {
  return knownLeft(onTime(seen, base), { time, clocks, model })
}

/** The periods of which the query leaves a part. */
export function cutPeriods(read: TimesRead, seen: readonly Conjunct[], base?: string): readonly Span[] {
  const { level } = read
  if (level.grain === undefined || !knownTimes(read, seen, base)) return []
  const found = new Map<bigint, Span>()
  for (const edge of leftBy(read, seen, base).flatMap(({ from, to }) => [from, to])) {
    const period = edge === undefined ? undefined : periodAt(edge, level.grain, level.weekStart)
    if (period && period.from !== edge) found.set(period.from, period)
  }
  return [...found.values()]
}

/** How the times of other periods are restricted: in the period with which a cut one is compared, to the moved part. */
export function conjunctsAtPeriods(
  read: TimesRead,
  seen: readonly Conjunct[],
  base: string | undefined,
  isTimed: boolean,
): readonly Conjunct[] {
  const rest = withoutTimes(read, seen, base)
  if (rest === seen || !knownTimes(read, seen, base)) return rest
  if (!isTimed) return conjunctsInRange(read, seen, base, false)
  if (read.isWhole || !partsAreApart(read, seen, base)) return rest
  const out = cutPeriods(read, seen, base).reduce<Ranges>((all, period) => {
    const part = partOf(read, seen, period, base)
    const whole = movedBy(read, period, true)
    return union(all, part ? difference([whole], isEmpty(part) ? [] : [part]) : [])
  }, [])
  return out.length === 0 ? rest : [...rest, conditionOn(read, complement(out))]
}

/** What the query leaves of a period, moved; `undefined` if nothing is left. */
function partOf(read: TimesRead, seen: readonly Conjunct[], period: Span, base?: string): Range | undefined {
  const [part, more] = intersection(leftBy(read, seen, base), [period])
  if (more) return refuseParts(read, period)
  return part && movedBy(read, part, true)
}

/**
 * Whether the parts of the periods that the query cuts are known from the periods in which they are moved: each is within the period with which the
 * whole one is compared, and no other period is compared with that.
 */
export function partsAreApart(read: TimesRead, seen: readonly Conjunct[], base?: string): boolean {
  const { level } = read
  return cutPeriods(read, seen, base).every((period) => {
    const part = partOf(read, seen, period, base)
    if (!part) return true
    const whole = movedBy(read, period, true)
    // Moved by less than a period, it is none.
    if (!isPeriod(whole, level)) return false
    const beside = [-4, -3, -2, -1, 1, 2, 3, 4].map((n) => neighbour(period, n, level))
    return difference([part], [whole]).length === 0 && beside.every((other) => movedBy(read, other, true).from !== whole.from)
  })
}

const isPeriod = (range: Range, { grain, weekStart }: LevelPeriods): boolean =>
  grain !== undefined && range.from !== undefined && floor(range.from, grain, weekStart) === range.from

function neighbour(period: Span, count: number, { grain, weekStart }: LevelPeriods): Span {
  let at = period
  for (let n = 0; n < Math.abs(count); n++) at = periodAt(count < 0 ? at.from - 1n : at.to, grain!, weekStart)
  return at
}

/** A condition on the time, in place of those of the query. */
function conditionOn({ time, clocks, path }: TimesRead, ranges: Ranges): Conjunct {
  const { members, label } = time
  const leaf: FieldLeaf = { kind: 'where-field', members, type: members[0].type, name: label }
  const about = { leaves: [leaf], path: time.path || path, fields: [label], ofMeasure: true } as const
  if (ranges.length === 0) return { ...about, expression: FALSE }
  if (ranges === ALL || (ranges.length === 1 && ranges[0]!.from === undefined && ranges[0]!.to === undefined))
    return { ...about, expression: isNotNull<WhereLeaf>(leaf) }
  const times = timeComparer<WhereLeaf>({ expression: leaf, type: leaf.type, grain: undefined, name: label }, path, clocks)
  const tests = ranges.map(({ from, to }): TimeTest<WhereLeaf> => {
    if (from === undefined) return times.below(to!)
    return to === undefined ? times.from(from) : times.within(from, to)
  })
  const expression = anyOf(tests.map((test) => test.expression))
  const admitted = tests.reduce<Ranges>((all, test) => union(all, test.holds), [])
  return { ...about, expression, times: [{ expression, condition: { kind: 'up-to', admitted } }] }
}
