/** Periods without rows, reported together with those that have some. */
import { addPeriods, lengthOf, startOfDay, truncate } from './calendar.js'
import { valueIn } from './calendar-tables.js'
import type { Asked } from './fields.js'
import { groupBy } from './group-by.js'
import type { Level, Tuple } from './levels.js'
import { finest, isDecided, sameTime } from './periods.js'
import { type RangeOfGaps, rangeOfGaps } from './range-of-gaps.js'
import { refuse } from './refusal.js'
import { compare, Day, keyOf, keyOfAll, Moment, type Value } from './values.js'
import { columnOf, type World } from './world.js'
import { namedIn, wallOf } from './zones.js'

/** The only time with a grain among the dimensions of a query: its gaps are filled. Refuses none and several. */
export function timeOfGaps(world: World, asked: readonly Asked[]): Asked {
  const bucketed = asked.filter((d) => d.grain !== undefined)
  if (bucketed.slice(1).some((d) => !sameTime(world, d, bucketed[0]!)))
    refuse('TIME_DIMENSION_NOT_SELECTED', 'several times have a grain')
  if (bucketed.length > 0 && asked.some((d) => d.grain === undefined && sameTime(world, d, bucketed[0]!)))
    refuse('TIME_DIMENSION_NOT_SELECTED', 'the time stands there without a grain, too')
  const calendarOf = ({ grain = '' }: Asked): string => (grain.includes('_') ? grain.replace(/_[a-z]+$/, '') : '')
  const time = finest(bucketed)
  const isLong = (d: Asked): boolean => lengthOf(d.grain) > lengthOf('day')
  if (time && isLong(time) && bucketed.some((d) => calendarOf(d) !== calendarOf(time)))
    refuse('TIME_DIMENSION_NOT_SELECTED', 'periods of different calendars do not lie within each other')
  return time ?? refuse('TIME_DIMENSION_NOT_SELECTED', 'fill_gaps needs a time with a grain')
}

/**
 * `tuples` and, for each combination of the other dimensions, the missing periods between the first and the last of all; of the range of the
 * fields `names` if the query says so.
 */
export const withGaps = (level: Level, tuples: readonly Tuple[], names: readonly string[]): readonly Tuple[] =>
  filled(level, tuples, names, false)

/** The same rows, and a row for each period of the range, also if no tuple is known yet that could fill it. */
export const withPeriods = (level: Level, tuples: readonly Tuple[], names: readonly string[]): readonly Tuple[] =>
  filled(level, tuples, names, true)

function filled(level: Level, tuples: readonly Tuple[], names: readonly string[], ofAny: boolean): readonly Tuple[] {
  const { world, dimensions, gaps } = level
  const isTime = (d: Asked, time: Asked): boolean => d.text === time.text || sameTime(world, d, time)
  const time = gaps && finest(dimensions.filter((d) => d.grain !== undefined && isTime(d, gaps)))
  const at = time ? dimensions.indexOf(time) : -1
  const others = dimensions.flatMap((d, i) => (time && (d === time || isDecided(world, d, time, dimensions)) ? [] : [i]))
  const shown = tuples.map((t) => t[at]!)
  const range = time && level.toRange ? rangeOfGaps(level, time, names) : undefined
  const periods =
    at < 0
      ? []
      : (range ? periodsIn(world, time!.grain!, range, shown) : periodsBetween(world, time!.grain!, shown)).filter(
          (period) => !isClocked(world, time!) || isShown(world, time!.grain!, period),
        )
  const present = new Set(tuples.map((t) => keyOfAll([t[at]!, ...others.map((i) => t[i]!)])))
  // With no other dimension, a period needs no row.
  const known = range && (ofAny || others.length === 0) ? [...tuples, dimensions.map((): Value => null)] : tuples
  const examples = [...groupBy(known, (t) => keyOfAll(others.map((i) => t[i]!))).values()].map(([first]) => first!)
  const added = examples.flatMap((example) =>
    periods
      .filter((period) => !present.has(keyOfAll([period, ...others.map((i) => example[i]!)])))
      .map((period) => example.map((v, i) => (others.includes(i) ? v : inPeriod(world, dimensions[i]!, time!.grain!, period)))),
  )
  return [...tuples, ...added]
}

/** Whether a time is converted to the zone of the query. */
function isClocked(world: World, { name, coalesced }: Asked): boolean {
  const { dataObject, column } = world.model.dimensions![coalesced?.[0] ?? name]!
  if (column === undefined) return false
  const { isInstant, kind } = columnOf(world, dataObject, column)
  return isInstant || (kind === 'timestamp' && world.clocks.naive !== undefined)
}

/** Whether clocks ever showed a time of the period. */
function isShown(world: World, grain: string, period: Value): boolean {
  const start = period instanceof Day ? startOfDay(period) : (period as Moment)
  const { zone } = world.clocks
  return keyOf(truncate(grain, new Moment(wallOf(namedIn(zone, start.micros), zone)), world)) === keyOf(period)
}

/** A dimension on the same time is derived from the period. */
const inPeriod = (world: World, one: Asked, grain: string, period: Value): Value =>
  one.grain === undefined ? valueIn(world, one, grain, period) : truncate(one.grain, period, world)

/** Tuples of a time and its partition, and the missing periods between the first and the last of each partition. */
export function withGapsWithin(world: World, grain: string, tuples: readonly Tuple[]): readonly Tuple[] {
  const partitions = [...groupBy(tuples, ([, ...rest]) => keyOfAll(rest)).values()]
  return partitions.flatMap((of) => {
    const present = new Set(of.map(([period]) => keyOf(period!)))
    const missing = periodsBetween(
      world,
      grain,
      of.map(([period]) => period!),
    ).filter((p) => !present.has(keyOf(p)))
    return [...of, ...missing.map((period) => [period, ...of[0]!.slice(1)])]
  })
}

/** The periods of a range; an end that it does not have is that of the rows, or of the aggregates that have one. */
function periodsIn(
  world: World,
  grain: string,
  { from, until, reached, admits }: RangeOfGaps,
  shown: readonly Value[],
): readonly Value[] {
  if (from !== undefined && until !== undefined && from >= until) return []
  const asDay = lengthOf(grain) >= lengthOf('day')
  const at = (micros: number): Value => {
    const start = truncate(grain, new Moment(micros), world) as Day | Moment
    return asDay || start instanceof Day ? start : new Moment(start.micros)
  }
  const sorted = (end: number | undefined): readonly Value[] =>
    [...shown, ...(end === undefined ? [] : [at(end)])].filter((v): v is Day | Moment => v !== null).toSorted(compare)
  const first = from === undefined ? sorted(reached.from)[0] : at(from)
  const last = until === undefined ? sorted(reached.until === undefined ? undefined : reached.until - 1).at(-1) : at(until - 1)
  if (first === undefined || last === undefined || compare(first as Day, last as Day) > 0) return []
  return periodsBetween(world, grain, [first, last]).filter(admits)
}

function periodsBetween(world: World, grain: string, values: readonly Value[]): readonly Value[] {
  const sorted = values.filter((v) => v !== null).toSorted(compare) as (Day | Moment)[]
  const periods: (Day | Moment)[] = sorted.slice(0, 1)
  while (periods.length > 0 && compare(periods.at(-1)!, sorted.at(-1)!) < 0)
    periods.push(addPeriods(grain, periods.at(-1)!, 1, world))
  return periods
}
