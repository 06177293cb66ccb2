/** The rows that measures and metrics create: those of their aggregates, and those of the periods with which a period is compared. */
import { atomNames, atomsOf, componentsOf, metricOf, timeOf, typeOf } from './components.js'
import { withGaps } from './gaps.js'
import { groupBy } from './group-by.js'
import { atGrain, type Level, type Tuple, tuplesOf } from './levels.js'
import type { MetricJson } from './model.js'
import { isAlong, lackOfMetric, movedBy, type RowRange, tuplesInWindow, tuplesOver } from './over-range.js'
import { otherDimensions, type TimeAxis, timeAxis } from './periods.js'
import { priorKey, rangeOfRow, shiftedLevel, wholeRange } from './prior-period.js'
import { keyOf, keyOfAll, type Value } from './values.js'

/** The rows of an answer with only these fields, without gaps. */
export function rowsAlone(level: Level, names: readonly string[]): readonly Tuple[] {
  const made = tuplesOf(level, [...new Set(names.flatMap((name) => atomNames(level.world, name)))])
  return withCompared(level, names, made)
}

/**
 * The rows, and for each period that they show, or that fills a gap, the tuples of the other dimensions for which the base of a comparison has
 * a row at the time with which the period is compared.
 */
export function withCompared(level: Level, names: readonly string[], made: readonly Tuple[]): readonly Tuple[] {
  const metrics = comparisonsBelow(level, names)
  if (metrics.length === 0) return made
  const settled = withGaps(level, made, names)
  const all = [...made, ...metrics.flatMap((metric) => comparedWith(level, metric, settled))]
  return [...new Map(all.map((tuple) => [keyOfAll(tuple), tuple])).values()]
}

/** The comparisons that are selected, or are parts of selected metrics of a row or its windows. */
function comparisonsBelow(level: Level, names: readonly string[], seen: Set<string> = new Set()): readonly MetricJson[] {
  return names.flatMap((name): readonly MetricJson[] => {
    const metric = metricOf(level.world, name)
    if (!metric || seen.has(name)) return []
    seen.add(name)
    const below = componentsOf(metric)
    if (typeOf(metric) === 'period_over_period') {
      const { rows, comparison = 'previousValue' } = metric.periodOverPeriod!
      if (rows === 'current') return []
      // Another comparison reads its base at the own period, too.
      return [metric, ...(comparison === 'previousValue' ? [] : comparisonsBelow(level, below, seen))]
    }
    if (typeOf(metric) === 'cumulative') return isWithoutTime(level, metric) ? [metric] : []
    return comparisonsBelow(level, below, seen)
  })
}

/** Whether the level does not show the time of a metric. */
const isWithoutTime = (level: Level, metric: MetricJson): boolean => timeAxis(level, timeOf(metric)!, undefined) === undefined

function comparedWith(level: Level, metric: MetricJson, shown: readonly Tuple[]): readonly Tuple[] {
  if (isWithoutTime(level, metric)) return tuplesWithout(wholeRange(level, timeOf(metric)!), metric)
  const { timeDimension, grain } = metric.periodOverPeriod!
  const axis = timeAxis(level, timeDimension, grain)!
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
  const found = fineTuples(there, atomsOf(there.world, metric))
  const nested = comparisonsBelow(there, componentsOf(metric)).flatMap((inner) => {
    // A running value along a time that the level does not show adds no tuples there.
    if (!inner.periodOverPeriod) return []
    const { timeDimension, grain } = inner.periodOverPeriod
    const at = timeAxis(there, timeDimension, grain)
    return at?.at === 0 ? [partnersOf(there, at, inner)] : []
  })
  const rest = there.dimensions.slice(1).map((): Value => null)
  return (tuple) => {
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
  const inner = comparisonsBelow(level, componentsOf(metric)).filter((one) => isAlong(range, one))
  return [
    ...tuplesOver(there, atomsOf(level.world, metric)),
    ...inner.flatMap((one) => (typeOf(one) === 'cumulative' ? tuplesInWindow(there, one) : tuplesMoved(there, one))),
  ]
}

const known = new WeakMap<Level['blocks'], Map<string, ReadonlyMap<string, readonly Tuple[]>>>()

/** By the period, which is the first dimension: the other values of the rows of aggregates at the grain of the level. */
function fineTuples(level: Level, names: readonly string[]): ReadonlyMap<string, readonly Tuple[]> {
  const memo = known.get(level.blocks) ?? new Map<string, ReadonlyMap<string, readonly Tuple[]>>()
  known.set(level.blocks, memo)
  const key = names.join('\n')
  const found =
    memo.get(key) ??
    new Map([...groupBy(atGrain(level, names), ([time]) => keyOf(time!))].map(([time, of]) => [time, of.map((t) => t.slice(1))]))
  memo.set(key, found)
  return found
}
