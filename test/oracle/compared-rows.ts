/** The rows that measures and metrics create: those of their aggregates, and those of the periods with which a period is compared. */
import { atomNames, atomsOf, componentsOf, metricOf, timeOf, typeOf } from './components.js'
import { withPeriods } from './gaps.js'
import { groupBy } from './group-by.js'
import { areAtGrain, atGrain, type Level, type Tuple, tuplesOf } from './levels.js'
import type { MetricJson } from './model.js'
import { hasTime, isAlong, lackOfMetric, movedBy, type RowRange, tuplesInWindow, tuplesOver } from './over-range.js'
import { otherDimensions, type TimeAxis, timeAt, timeAxis } from './periods.js'
import { lacksRanges, priorKey, rangeOfRow, shiftedLevel, wholeRange } from './prior-period.js'
import { countsOtherPeriods } from './table-grains.js'
import { isAfterNow, levelUntilNow, timesUntilNow } from './until-now.js'
import { keyOf, keyOfAll, type Value } from './values.js'

/** The rows of an answer with only these fields, without gaps. */
export function rowsAlone(level: Level, names: readonly string[]): readonly Tuple[] {
  return withCompared(level, names, rowsMade(level, names))
}

/** The rows that the aggregates of these fields create. A window has a value of its own in each row of its measure, whatever stands beside it. */
export function rowsMade(level: Level, names: readonly string[]): readonly Tuple[] {
  const parts = [...byLevel(level, names)]
  const isFine = level.dimensions.length > 0 && parts.some(([at, atoms]) => areAtGrain(at, atoms))
  const found = parts.flatMap(([at, atoms]) => (isFine ? atGrain(at, atoms) : tuplesOf(at, atoms)))
  const ofWindows = isFine ? windowsBelow(level, names).flatMap(([at, measure]) => rowsMade(at, [measure])) : []
  return [...new Map([...found, ...ofWindows].map((tuple) => [keyOfAll(tuple), tuple])).values()]
}

/** Whether a window has values in the level: without its time, all are NULL. */
const hasTimeOf = (level: Level, { timeDimension: time }: MetricJson): boolean => time === undefined || timeAt(level, time) >= 0

/** The measures of the windows among these fields and below them, at the levels at which they are evaluated. */
function windowsBelow(level: Level, names: readonly string[]): readonly (readonly [Level, string])[] {
  return names.flatMap((name) => {
    const metric = metricOf(level.world, name)
    if (!metric) return []
    const at = levelUntilNow(level, metric) ?? level
    const own = metric.type === 'window' && hasTimeOf(at, metric) ? [[at, metric.measure!] as const] : []
    return [...own, ...windowsBelow(at, componentsOf(metric))]
  })
}

/** The aggregates of fields, at the levels at which they are evaluated. */
export function byLevel(level: Level, names: readonly string[], found = new Map<Level, string[]>()): Map<Level, string[]> {
  for (const name of names) {
    const metric = metricOf(level.world, name)
    const of = found.get(level) ?? []
    if (metric) byLevel(levelUntilNow(level, metric) ?? level, componentsOf(metric), found)
    else found.set(level, [...new Set([...of, ...atomNames(level.world, name)])])
  }
  return found
}

/**
 * The rows, and for each period that they show, or that fills a gap, the tuples of the other dimensions for which the base of a comparison has
 * a row at the time with which the period is compared.
 */
export function withCompared(
  level: Level,
  names: readonly string[],
  made: readonly Tuple[],
  shown: readonly Tuple[] = [],
): readonly Tuple[] {
  const metrics = comparisonsBelow(level, names)
  const cut = untilNowBelow(level, names)
  if (metrics.length === 0 && cut.length === 0) return made
  const [without, along] = byTime(level, metrics)
  // Without its time, a value adds rows whatever the others show; their periods, which are those of another time, are shown.
  const own = [...made, ...without.flatMap((metric) => tuplesWithout(wholeRange(level, timeOf(metric)!), metric))]
  // What ends at the clock is compared for the periods that the whole answer shows.
  const settled = shown.length > 0 ? [...shown, ...own] : withPeriods(level, own, names)
  const ofCut = cut.flatMap(([name, at]) => withCompared(at, [name], made, settled))
  const all = [...own, ...along.flatMap((metric) => comparedWith(level, metric, settled)), ...ofCut]
  return [...new Map(all.map((tuple) => [keyOfAll(tuple), tuple])).values()]
}

/**
 * The comparisons that are selected, or are parts of selected metrics of a row or its windows, and running values whose time the level does not
 * show. A comparison that does not read its base at the own period has the rows of its base there all the same, so `isRead` is false below it.
 */
function comparisonsBelow(level: Level, names: readonly string[], isRead = true): readonly MetricJson[] {
  const found = names.flatMap((name): readonly MetricJson[] => {
    const metric = metricOf(level.world, name)
    if (!metric || levelUntilNow(level, metric)) return []
    const below = componentsOf(metric)
    // A running value folds the rows of its base at the own period, of which a value that runs over another time has its own.
    if (typeOf(metric) === 'cumulative') return isWithoutTime(level, metric) ? [metric] : comparisonsBelow(level, below, false)
    if (typeOf(metric) !== 'period_over_period') return comparisonsBelow(level, below, isRead)
    const { rows, comparison = 'previousValue' } = metric.periodOverPeriod!
    const isCompared = isRead && rows !== 'current'
    return [...(isCompared ? [metric] : []), ...comparisonsBelow(level, below, isCompared && comparison !== 'previousValue')]
  })
  return [...new Set(found)]
}

/** The metrics of a row, or of its windows, that are evaluated at another level. */
function untilNowBelow(level: Level, names: readonly string[]): readonly (readonly [string, Level])[] {
  return names.flatMap((name): readonly (readonly [string, Level])[] => {
    const metric = metricOf(level.world, name)
    if (!metric) return []
    const cut = levelUntilNow(level, metric)
    return cut ? [[name, cut]] : untilNowBelow(level, typeOf(metric) === 'cumulative' ? [] : componentsOf(metric))
  })
}

/** The metrics whose time the level does not show, and the others. */
function byTime(level: Level, metrics: readonly MetricJson[]): readonly [readonly MetricJson[], readonly MetricJson[]] {
  return [metrics.filter((one) => isWithoutTime(level, one)), metrics.filter((one) => !isWithoutTime(level, one))]
}

const isWithoutTime = (level: Level, metric: MetricJson): boolean => timeAxis(level, timeOf(metric)!, undefined) === undefined

function comparedWith(level: Level, metric: MetricJson, shown: readonly Tuple[]): readonly Tuple[] {
  const { timeDimension, grain } = metric.periodOverPeriod!
  if (lacksRanges(level, metric)) return []
  const axis = timeAxis(level, timeDimension, grain)!
  // What has no value at the level adds no rows there.
  if (countsOtherPeriods(level.world, metric, axis.grain)) return []
  const others = otherDimensions(level, axis)
  const times = level.dimensions.flatMap((_, i) => (others.includes(i) ? [] : [i]))
  const examples = [...groupBy(shown, (tuple) => keyOfAll(times.map((i) => tuple[i]!))).values()].map(([first]) => first!)
  const partnersAt = partnersOf(level, axis, metric)
  return examples.flatMap((example) =>
    partnersAt(example).map((partner) => {
      const own = new Map(others.map((at, i) => [at, partner[i]!]))
      return example.map((value, i) => own.get(i) ?? (own.has(i) ? null : value))
    }),
  )
}

/** For a period: the values of the other dimensions with a row of the base at the times that a comparison reads for it. */
function partnersOf(level: Level, axis: TimeAxis, metric: MetricJson): (tuple: Tuple) => readonly Tuple[] {
  const there = shiftedLevel(level, axis, metric)
  const [without, along] = byTime(there, comparisonsBelow(there, componentsOf(metric)))
  // A value over another time, which the level does not show, has rows of its own in each period.
  const found = byPeriod([
    ...atGrain(there, atomsOf(there.world, metric)),
    ...without.flatMap((one) => tuplesWithout(wholeRange(there, timeOf(one)!), one)),
  ])
  const nested = along.flatMap((one) => {
    const at = timeAxis(there, timeOf(one)!, one.periodOverPeriod?.grain)
    return at?.at === 0 ? [partnersOf(there, at, one)] : []
  })
  const rest = there.dimensions.slice(1).map((): Value => null)
  const { timeDimension: time } = metric.periodOverPeriod!
  const isCut = level.cut !== undefined && timesUntilNow(level.world, metric).includes(time)
  return (tuple) => {
    if (isCut && isAfterNow(level, axis, time, tuple)) return []
    const range = rangeOfRow(level, axis, metric, tuple)
    if (range) return tuplesMoved(range, metric)
    const key = priorKey(level, axis, metric, tuple)
    if (key === null) return []
    return [...(found.get(keyOf(key)) ?? []), ...nested.flatMap((partners) => partners([key, ...rest]))]
  }
}

/** At a level that does not show the time: the tuples with a row in the moved range, or in the window of a running value. */
function tuplesWithout(range: RowRange, metric: MetricJson): readonly Tuple[] {
  if (lackOfMetric(range, metric) !== undefined) return []
  return typeOf(metric) === 'cumulative' ? tuplesInWindow(range, metric) : tuplesMoved(range, metric)
}

function tuplesMoved(range: RowRange, metric: MetricJson): readonly Tuple[] {
  const { level } = range
  const there = movedBy(range, metric)
  // An aggregate at a grain without the time that rows show adds none, as if the query cut no period.
  const atoms = atomsOf(level.world, metric).filter((name) => range.grain === undefined || hasTime(range, name))
  const inner = comparisonsBelow(level, componentsOf(metric)).filter((one) => isAlong(range, one))
  return [
    ...tuplesOver(there, atoms),
    ...inner.flatMap((one) => (typeOf(one) === 'cumulative' ? tuplesInWindow(there, one) : tuplesMoved(there, one))),
  ]
}

/** By the period, which is the first dimension: the values of the other dimensions. */
const byPeriod = (tuples: readonly Tuple[]): ReadonlyMap<string, readonly Tuple[]> =>
  new Map([...groupBy(tuples, ([time]) => keyOf(time!))].map(([time, of]) => [time, of.map((t) => t.slice(1))]))
