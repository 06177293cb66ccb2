/** A base over the window of periods that ends with the row's own. */
import { aggregate } from './aggregates.js'
import { aggregateOf, emptyValue } from './atoms.js'
import { addPeriods, truncate } from './calendar.js'
import { atomNamed, atomNames, atomsOf, baseOf } from './components.js'
import { blockOf, defaultOf, type Level, type Tuple, tuplesOf } from './levels.js'
import type { MetricJson } from './model.js'
import { periodOf, sameButBy, type TimeAxis, timeAxis } from './periods.js'
import { formulaValue, type Sheet, sheetOf } from './sheet.js'
import { upperBounds, withoutTime } from './time-conjuncts.js'
import { compare, type Day, keyOf, type Moment, type Value } from './values.js'

/** The level at which the base is read: time first, then the dimensions that partition. */
interface Running {
  readonly level: Level
  readonly axis: TimeAxis
  /** Where the row's tuple has the dimensions that partition. */
  readonly partition: readonly number[]
}

/** All NULL where the metric's time dimension is rolled up. */
export function cumulativeColumn({ level, tuples }: Sheet, metric: MetricJson): readonly Value[] {
  const axis = timeAxis(level, metric.timeDimension!, undefined)
  if (!axis) return tuples.map(() => null)
  const partition = level.dimensions.flatMap((d, i) => (i !== axis.at && isPartition(metric, d.name) ? [i] : []))
  const bounded = (filter: Parameters<typeof upperBounds>[0]) => upperBounds(filter, level.now, level.world)
  const where = withoutTime(level.world, level.where, metric.timeDimension!, level.asked, bounded)
  const dimensions = [axis.dimension, ...partition.map((i) => level.dimensions[i]!)]
  const running: Running = { level: sameButBy(level, dimensions, where), axis, partition }
  for (const name of atomsOf(level.world, metric)) blockOf(running.level, name)
  const valueIn = metric.cumulativeType === undefined ? recomputed(running, metric) : folded(running, metric)
  return tuples.map((tuple) => {
    const last = periodOf(level, axis, tuple)
    return last === null
      ? null
      : valueIn(
          windowEnding(level, axis, metric, tuple, last),
          partition.map((i) => tuple[i]!),
        )
  })
}

const isPartition = ({ partitionBy }: MetricJson, name: string): boolean => partitionBy?.includes(name) ?? true

type InWindow = (period: Value) => boolean
type WindowValue = (inWindow: InWindow, partition: Tuple) => Value

/** Whole periods of the grain in use. */
function windowEnding(level: Level, axis: TimeAxis, metric: MetricJson, tuple: Tuple, last: Day | Moment): InWindow {
  const { window, grainToDate } = metric
  const first =
    window !== undefined
      ? addPeriods(axis.grain, last, 1 - window)
      : grainToDate === undefined
        ? undefined
        : truncate(grainToDate, tuple[axis.at]!, level.world.weekStart)
  const from = first === undefined || compare(first, last) <= 0 ? first : last
  return (period) => period !== null && compare(period, last) <= 0 && (from === undefined || compare(period, from) >= 0)
}

/** The base over the rows of the window, each row once. */
function recomputed({ level }: Running, metric: MetricJson): WindowValue {
  return (inWindow, partition) => {
    const measured = (name: string): Value => {
      const part = level.world.model.metrics?.[name]
      return part ? formulaValue(level.world, baseOf(part), measured) : overRows(level, name, inWindow, partition)
    }
    return formulaValue(level.world, baseOf(metric), measured)
  }
}

function overRows(level: Level, name: string, inWindow: InWindow, partition: Tuple): Value {
  const atom = atomNamed(level.world, name)
  const { at, groups } = blockOf(level, name)
  const wanted = (tuple: Tuple): boolean =>
    at.every((position, i) => (position === 0 ? inWindow(tuple[i]!) : same(tuple[i]!, partition[position - 1]!)))
  const homes = new Set([...groups.values()].filter((g) => wanted(g.tuple)).flatMap((g) => g.homes))
  return (homes.size === 0 ? emptyValue(atom) : aggregateOf(level.world, atom, [...homes])) ?? defaultOf(level.world, name)
}

/** The base's values of the periods that have a row, folded. */
function folded({ level }: Running, metric: MetricJson): WindowValue {
  const base = metric.measure!
  const { tuples, column } = sheetOf(level, tuplesOf(level, atomNames(level.world, base)))
  const fold = { name: metric.cumulativeType!, distinct: false, delimiter: '' }
  return (inWindow, partition) => {
    const values = column(base).filter((_, i) => {
      const [period, ...rest] = tuples[i]!
      return inWindow(period!) && rest.every((v, p) => same(v, partition[p]!))
    })
    return aggregate(
      fold,
      values.map((v) => [v]),
    )
  }
}

/** NULL equals itself. */
const same = (a: Value, b: Value): boolean => keyOf(a) === keyOf(b)
