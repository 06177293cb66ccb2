/** A base over the window of periods that ends with the period of the row. */
import { aggregate } from './aggregates.js'
import { addPeriods, addTo, lengthOf, truncate } from './calendar.js'
import { rowsAlone, rowsMade, withCompared } from './compared-rows.js'
import { atomsOf, baseOf, metricOf } from './components.js'
import { firstOfPeriods, isFullFrom } from './full-windows.js'
import { withGapsWithin } from './gaps.js'
import { blockOf, type Level, levelOf, type Tuple, valueAt } from './levels.js'
import type { MetricJson } from './model.js'
import { periodRange } from './moved-range.js'
import { isFiner, isLacking, runningOver } from './over-range.js'
import { inPeriods, otherDimensions, periodOf, sameButBy, type TimeAxis, timeAxis } from './periods.js'
import { wholeRange } from './prior-period.js'
import { refuse } from './refusal.js'
import { isKnown, localOf, within as partsWithin, rangesSeen } from './row-ranges.js'
import { formulaValue, type Sheet, sheetOf } from './sheet.js'
import { readsDaysOfPeriods, withoutTime } from './time-conjuncts.js'
import { compare, type Day, keyOf, keyOfAll, type Moment, type Value } from './values.js'

/** The level at which the base is read: time first, then the dimensions that partition. */
interface Running {
  readonly level: Level
  readonly axis: TimeAxis
}

export function cumulativeColumn({ level, tuples }: Pick<Sheet, 'level' | 'tuples'>, metric: MetricJson): readonly Value[] {
  const axis = timeAxis(level, metric.timeDimension!, undefined)
  if (!axis) return withoutPeriods(level, metric, tuples)
  if (isFiner(metric, axis.grain)) return toTheEnds(level, axis, metric, tuples)
  const unit = metric.grainToDate ?? metric.windowGrain
  // A month to date has no value in a quarter.
  if (unit !== undefined && lengthOf(unit) < lengthOf(axis.grain)) return tuples.map(() => null)
  const partition = partitionOf(level, axis, metric)
  const where = withoutTime(level, metric.timeDimension!, level.now)
  const dimensions = [axis.dimension, ...partition.map((i) => level.dimensions[i]!)]
  // The periods of a fold are those between its own rows, whatever range the answer reports.
  const running: Running = { level: sameButBy({ ...level, toRange: false }, dimensions, where), axis }
  for (const name of atomsOf(level.world, metric)) blockOf(running.level, name)
  const valueIn = metric.cumulativeType === undefined ? recomputed(running, metric) : folded(running, metric)
  const always = withoutTime(level, metric.timeDimension!)
  const firstPeriod = firstPeriods(running, metric, always)
  return tuples.map((tuple) => {
    const last = periodOf(level, axis, tuple)
    if (last === null) return null
    const from = firstOf(level, axis, metric, tuple, last)
    const own = partition.map((i) => tuple[i]!)
    return metric.onlyFull && !isFullFrom(from!, firstPeriod(own)) ? null : valueIn({ from, last }, own)
  })
}

/** Places of the dimensions that part the value: the other ones, or those that it names, and they may follow from the time. */
function partitionOf(level: Level, axis: TimeAxis, { partitionBy }: MetricJson): readonly number[] {
  const others = otherDimensions(level, axis)
  return level.dimensions.flatMap((d, i) => (i !== axis.at && (partitionBy?.includes(d.name) ?? others.includes(i)) ? [i] : []))
}

/** The first period in which the base has rows in a partition, under all conditions but those of time. */
function firstPeriods({ level }: Running, metric: MetricJson, where: Level['where']): (own: Tuple) => Value {
  const { gaps: _, ...ungapped } = level
  const rows = metric.onlyFull ? rowsAlone(sameButBy(ungapped, level.dimensions, where), [metric.measure!]) : []
  return (own) => firstOfPeriods(rows.filter(([, ...rest]) => keyOfAll(rest) === keyOfAll(own)).map(([period]) => period!))
}

/** A row with a range of days, which all parts of the metric see. */
function refuseParts(level: Level, axis: TimeAxis, metric: MetricJson): void {
  const { world } = level
  const time = metric.timeDimension!
  if (!isKnown(level, time)) {
    const isOfDays = level.where.some((f) => f && readsDaysOfPeriods(world, f, time, level.asked))
    if (axis.grain !== 'month' || isOfDays) refuse('TIME_FILTER_NOT_A_RANGE', 'the days of a named period')
    return
  }
  const [left = [], ...others] = atomsOf(world, metric).map((name) => rangesSeen(level, name, time))
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(left))) refuse('TIME_FILTER_NOT_A_RANGE', 'several ranges')
  for (const { from, until } of left) {
    for (const edge of [from, until]) {
      if (edge === undefined) continue
      const period = periodRange(axis.grain, edge, world)
      const [part, ...more] = period.from === edge ? [] : partsWithin(left, period)
      if (!part) continue
      const isLate = metric.cumulativeType !== undefined && metric.windowGrain !== 'day' && left.at(-1)!.until !== part.until
      if (more.length > 0 || isLate || part.until! % 86_400_000_000 !== 0) refuse('TIME_FILTER_NOT_A_RANGE', 'no range of days')
    }
  }
}

/** A window in a finer unit than the rows ends with the range of each. */
function toTheEnds(level: Level, axis: TimeAxis, metric: MetricJson, tuples: readonly Tuple[]): readonly Value[] {
  const { world } = level
  const time = metric.timeDimension!
  const where = isKnown(level, time) ? level.where : withoutTime(level, time, level.now)
  const read = sameButBy(level, level.dimensions, where)
  const others = partitionOf(level, axis, metric)
  // Data that are coarser than what is read are refused, whether there are rows or not.
  const within = inPeriods(world, axis.dimension, metric.cumulativeType === undefined ? 'day' : metric.windowGrain!)
  const parts = sameButBy(level, [within, ...others.map((i) => level.dimensions[i]!)], where)
  for (const name of atomsOf(world, metric)) for (const of of [read, parts]) blockOf(of, name)
  refuseParts(level, axis, metric)
  return tuples.map((tuple) => {
    const at = periodOf(level, axis, tuple)
    if (at === null) return null
    const period = periodRange(axis.grain, localOf(at)!, world)
    return runningOver(
      { level: read, time, others, grain: axis.grain, period, moves: [], isBounded: true },
      metric,
      others.map((i) => tuple[i]!),
    )
  })
}

/** At a level that does not show the time, the value as of the end of the times that the query leaves. */
function withoutPeriods(level: Level, metric: MetricJson, tuples: readonly Tuple[]): readonly Value[] {
  const range = wholeRange(level, metric.timeDimension!)
  if (isLacking(range, metric)) return tuples.map(() => null)
  return tuples.map((tuple) => runningOver(range, metric, tuple))
}

/** Periods from one to another, both included; without `from` all up to the last. */
interface Span {
  readonly from: Value | undefined
  readonly last: Value
}
type WindowValue = (span: Span, partition: Tuple) => Value

/** Whole periods of the grain in use, at least the last one. */
function firstOf(level: Level, axis: TimeAxis, metric: MetricJson, tuple: Tuple, last: Day | Moment): Value | undefined {
  const { window, windowGrain, grainToDate } = metric
  if (windowGrain !== undefined && windowGrain !== axis.grain) {
    const before = truncate(axis.grain, addTo(last, windowGrain, -Number(window), level.world), level.world) as Day | Moment
    return addPeriods(axis.grain, before, 1, level.world)
  }
  const first =
    window !== undefined
      ? addPeriods(axis.grain, last, 1 - Number(window), level.world)
      : grainToDate === undefined
        ? undefined
        : truncate(grainToDate, tuple[axis.at]!, level.world)
  return first === undefined || compare(first, last) <= 0 ? first : last
}

const within = ({ from, last }: Span, period: Value): boolean =>
  period !== null && compare(period, last) <= 0 && (from === undefined || compare(period, from) >= 0)

/** The base over the rows of the window: a separate query for each. */
function recomputed({ level, axis }: Running, metric: MetricJson): WindowValue {
  const [, ...dimensions] = level.dimensions
  const windows = new Map<string, Level>()
  const levelFor = (span: Span): Level => {
    const key = `${span.from === undefined ? '' : keyOf(span.from)} ${keyOf(span.last)}`
    const admits = (period: Value): boolean => within(span, period)
    const known = windows.get(key) ?? levelOf({ ...level, dimensions, window: { time: axis.dimension, admits } })
    windows.set(key, known)
    return known
  }
  return (span, partition) => {
    const over = levelFor(span)
    const measured = (name: string): Value => {
      const part = metricOf(level.world, name)
      return part ? formulaValue(level.world, baseOf(part), measured) : valueAt(over, name, partition)
    }
    return formulaValue(level.world, baseOf(metric), measured)
  }
}

/** The base's values of the periods that have a row, aggregated. */
function folded({ level, axis }: Running, metric: MetricJson): WindowValue {
  const base = metric.measure!
  const filled = (rows: readonly Tuple[]) => (level.gaps ? withGapsWithin(level.world, axis.grain, rows) : rows)
  // Comparisons have rows in the periods of the fold, which are those between the rows of each partition.
  const own = rowsMade(level, [base])
  const { tuples, column } = sheetOf(level, filled(withCompared(level, [base], own, filled(own))))
  const values = column(base)
  const fold = { name: metric.cumulativeType!, distinct: false, delimiter: '' }
  return (span, partition) => {
    const folding = values.filter((_, i) => {
      const [period, ...rest] = tuples[i]!
      return within(span, period!) && rest.every((v, p) => same(v, partition[p]!))
    })
    return aggregate(
      fold,
      folding.map((v) => [v]),
    )
  }
}

/** NULL equals itself. */
const same = (a: Value, b: Value): boolean => keyOf(a) === keyOf(b)
