/** A base compared with itself in another period. */
import { addTo, startOfDay, truncate } from './calendar.js'
import { rowsAlone } from './compared-rows.js'
import { compared } from './compared-values.js'
import { atomsOf, baseOf, componentsOf, isOverTime, metricOf, rowMetricOf, timeOf, typeOf } from './components.js'
import { cumulativeColumn } from './cumulative.js'
import { type Node, refsOf } from './expressions.js'
import { finerIn, hasRunning, isMovable } from './finer-offset.js'
import { withGaps } from './gaps.js'
import { blockOf, defaultOf, groupAt, type Level, type Tuple } from './levels.js'
import type { MetricJson } from './model.js'
import { periodRange } from './moved-range.js'
import {
  byLength,
  comparedOver,
  isLacking,
  lackOfMetric,
  movedBy,
  moveOf,
  type RowRange,
  readsPeriods,
  valueOver,
} from './over-range.js'
import { otherDimensions, sameButBy, type TimeAxis, timeAxis } from './periods.js'
import { refuse } from './refusal.js'
import { isKnown, rangesLeft, rangesSeen, within } from './row-ranges.js'
import { baseColumn, formulaValue, type Sheet, sheetOf } from './sheet.js'
import { countsOtherPeriods, placesOf, samePlace } from './table-grains.js'
import { withoutTime } from './time-conjuncts.js'
import { Day, keyOfAll, Moment, type Value } from './values.js'

/** Rows of another period, whether or not there are any; undefined if a row has no time. */
interface AsOf {
  /** Its first dimension is the time. */
  readonly level: Level
  readonly tuples: readonly (Tuple | undefined)[]
}

export function priorColumn(sheet: Sheet, metric: MetricJson): readonly Value[] {
  const { level, tuples } = sheet
  const { timeDimension, grain, comparison = 'previousValue' } = metric.periodOverPeriod!
  const axis = timeAxis(level, timeDimension, grain)
  if (!axis) return withoutPeriods(level, metric, tuples)
  // A subtotal by longer periods has none of those that the offset counts.
  if (countsOtherPeriods(level.world, metric, axis.grain)) return tuples.map(() => null)
  if (isParted(level, metric)) refuse('TIME_FILTER_NOT_A_RANGE', 'two parts of a period')
  if (lacksRanges(level, metric)) return tuples.map(() => null)
  const whole = valuesAt(shifted(level, axis, metric, tuples), baseOf(metric))
  const ofRange = (tuple: Tuple): Value | undefined => {
    const range = rangeOfRow(level, axis, metric, tuple)
    const others = range?.others.map((at) => tuple[at]!)
    return range && valueOver(movedBy(range, metric), baseOf(metric), others!)
  }
  // Also if no row has a time: whether a query is refused does not depend on its rows.
  if (finerIn(level.world, metric, axis.grain).length > 0)
    ofRange(level.dimensions.map((_, i) => (i === axis.at ? truncate(axis.grain, SOME_DAY, level.world) : null)))
  const before = tuples.map((tuple, i) => {
    const value = ofRange(tuple)
    return value === undefined ? whole[i]! : value
  })
  const current = comparison === 'previousValue' ? undefined : baseColumn(sheet, metric)
  return tuples.map((_, i) => (current ? compared(comparison, current[i]!, before[i]!) : before[i]!))
}

const SOME_DAY = new Day(Date.parse('2024-05-15') / 86_400_000)

/** Whether an offset is finer than the periods that a level shows, and cannot move their ranges. */
export function lacksRanges(level: Level, metric: MetricJson): boolean {
  const { timeDimension: time, grain } = metric.periodOverPeriod!
  const axis = timeAxis(level, time, grain)
  const finer = axis ? finerIn(level.world, metric, axis.grain) : []
  if (!axis || finer.length === 0) return false
  const range = { level, time, others: otherDimensions(level, axis), grain: axis.grain, period: undefined, moves: [] }
  const isFound = lackOfMetric(range, metric) !== undefined || hasRunning(level.world, metric)
  return isFound || !finer.every((one) => isMovable(level.world, axis.grain, one))
}

/** Whether the conjuncts leave two parts of one period, which are no range. */
export function isParted(level: Level, metric: MetricJson): boolean {
  const { timeDimension: time, grain, compare } = metric.periodOverPeriod!
  const axis = timeAxis(level, time, grain)
  if (!axis) return false
  const range = { level, time, others: otherDimensions(level, axis), grain: axis.grain, period: undefined, moves: [] }
  if (!isKnown(level, time) || lackOfMetric(range, metric) !== undefined) return false
  return atomsOf(level.world, metric).some((name) => {
    const ends = rangesSeen(level, name, time)
    if (!readsPeriods(range, name)) return ends.length > 1
    if (compare === 'whole') return false
    return ends.some(({ until }, i) => {
      const next = ends[i + 1]?.from
      return until !== undefined && next !== undefined && periodRange(axis.grain, until - 1, level.world).until > next
    })
  })
}

/** At a level that does not show the time, all times that the query leaves are compared. */
function withoutPeriods(level: Level, metric: MetricJson, tuples: readonly Tuple[]): readonly Value[] {
  const range = wholeRange(level, metric.periodOverPeriod!.timeDimension)
  if (isLacking(range, metric)) return tuples.map(() => null)
  return tuples.map((tuple) => comparedOver(range, metric, tuple))
}

/** The range of every row of a level that does not show the time. */
export const wholeRange = (level: Level, time: string): RowRange => ({
  level,
  time,
  others: level.dimensions.map((_, i) => i),
  grain: undefined,
  period: undefined,
  moves: [],
})

/**
 * The range of a row whose period the conjuncts cut, or beside which a part is at a coarser grain; undefined if it is a whole period, or if the
 * metric depends on other rows there.
 */
export function rangeOfRow(level: Level, axis: TimeAxis, metric: MetricJson, tuple: Tuple): RowRange | undefined {
  const { timeDimension: time, compare } = metric.periodOverPeriod!
  const at = tuple[axis.at]!
  const range = { level, time, others: otherDimensions(level, axis), grain: axis.grain, period: undefined, moves: [] }
  const isFiner = finerIn(level.world, metric, axis.grain).length > 0
  if (!(at instanceof Day || at instanceof Moment) || (!isKnown(level, time) && !isFiner)) return undefined
  if (lackOfMetric(range, metric) !== undefined) return undefined
  const period = periodRange(axis.grain, at instanceof Day ? startOfDay(at).micros : at.micros, level.world)
  // What filters cut that are no comparisons with dates is not known, so the whole period is moved.
  if (isFiner) return { ...range, period, isWhole: compare === 'whole' || !isKnown(level, time) }
  const left = rangesLeft(level, time)
  if (left.length === 1 && left[0]!.from === undefined && left[0]!.until === undefined) return undefined
  const [part, ...more] = within(left, period)
  const isCut = compare !== 'whole' && part && (more.length > 0 || part.from !== period.from || part.until !== period.until)
  const isCoarse = atomsOf(level.world, metric).some((name) => !readsPeriods(range, name))
  return isCut || isCoarse ? { ...range, period, isWhole: compare === 'whole' } : undefined
}

/** The rows of the periods with which the given ones are compared, without conditions on time. */
function shifted(level: Level, axis: TimeAxis, metric: MetricJson, tuples: AsOf['tuples']): AsOf {
  const others = otherDimensions(level, axis)
  return {
    level: shiftedLevel(level, axis, metric),
    tuples: tuples.map((tuple) => {
      const key = tuple ? priorKey(level, axis, metric, tuple) : null
      return key === null ? undefined : [key, ...others.map((o) => tuple![o]!)]
    }),
  }
}

/** The level at which other periods are read: the time in periods, then the other dimensions, without conditions on time. */
export function shiftedLevel(level: Level, axis: TimeAxis, metric: MetricJson): Level {
  const others = otherDimensions(level, axis)
  const where = withoutTime(level, metric.periodOverPeriod!.timeDimension)
  const moved = { level, move: moveOf(level, metric, axis.grain) }
  return sameButBy({ ...level, moved }, [axis.dimension, ...others.map((i) => level.dimensions[i]!)], where)
}

/** The period with which the row is compared; null if it has no time. */
export function priorKey(level: Level, axis: TimeAxis, metric: MetricJson, tuple: Tuple): Value {
  const { offsetToGrain, offset = -1, offsetGrain = axis.grain } = byLength(level, metric, axis.grain).periodOverPeriod!
  const { world } = level
  const time = tuple[axis.at]!
  if (time === null) return null
  const places = placesOf(world, metric, axis.grain)
  if (places) return samePlace(world, places, axis.grain, time, offset)
  const there = offsetToGrain === undefined ? addTo(time, offsetGrain, offset, world) : truncate(offsetToGrain, time, world)
  return truncate(axis.grain, there, world)
}

/** A formula in each of the rows. */
function valuesAt(rows: AsOf, node: Node): readonly Value[] {
  const columns = new Map<string, readonly Value[]>()
  const columnAt = (name: string): readonly Value[] => {
    const known = columns.get(name) ?? valuesOf(rows, name)
    columns.set(name, known)
    return known
  }
  // Also if no row has a prior period: whether a query is refused does not depend on its rows.
  for (const { parts } of refsOf(node)) columnAt(parts[0]!)
  return rows.tuples.map((tuple, i) => (tuple ? formulaValue(rows.level.world, node, (name) => columnAt(name)[i]!) : null))
}

/** Metrics along the same time are evaluated as of each row; values that depend on other rows are those of the existing row. */
function valuesOf(rows: AsOf, name: string): readonly Value[] {
  const { level, tuples } = rows
  const { world } = level
  const metric = metricOf(world, name)
  if (!metric) return isFound(rows, name) ? found(rows, name) : measured(rows, name)
  if (typeOf(metric) === 'derived') return valuesAt(rows, baseOf(metric))
  const axis = typeOf(metric) === 'window' ? undefined : timeAxis(level, timeOf(metric)!, undefined)
  if (axis?.at !== 0) return found(rows, name)
  if (typeOf(metric) === 'cumulative') {
    const known = tuples.filter((tuple) => tuple !== undefined)
    const values = cumulativeColumn({ level, tuples: known }, metric)
    return tuples.map((tuple) => (tuple ? values[known.indexOf(tuple)]! : null))
  }
  const { comparison = 'previousValue' } = metric.periodOverPeriod!
  const before = valuesAt(shifted(level, axis, metric, tuples), baseOf(metric))
  if (comparison === 'previousValue') return before
  return valuesAt(rows, baseOf(metric)).map((current, i) => compared(comparison, current, before[i]!))
}

/** An aggregate of running values depends on other rows. */
const isFound = ({ level: { world } }: AsOf, name: string): boolean => {
  const metric = rowMetricOf(world, name)
  return metric?.type === 'aggregate' && componentsOf(metric).some((c) => isOverTime(world, c))
}

/** A measure without a row there is NULL, for counts too, then its default. */
function measured({ level, tuples }: AsOf, name: string): readonly Value[] {
  const block = blockOf(level, name)
  return tuples.map((tuple) => (tuple ? (groupAt(block, tuple)?.value ?? defaultOf(level.world, name)) : null))
}

/** A metric in a separate query; NULL if that has no row. */
function found({ level, tuples }: AsOf, name: string): readonly Value[] {
  const sheet = sheetOf(level, withGaps(level, rowsAlone(level, [name]), [name]))
  const values = sheet.column(name)
  const rows = new Map(sheet.tuples.map((tuple, i) => [keyOfAll(tuple), values[i]!]))
  return tuples.map((tuple) => (tuple ? (rows.get(keyOfAll(tuple)) ?? null) : null))
}
