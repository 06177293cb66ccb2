/** A base compared with itself in another period. */
import { addTo, truncate } from './calendar.js'
import { atomsOf, baseOf, componentsOf, isOverTime, metricOf } from './components.js'
import { withGaps } from './gaps.js'
import { blockOf, defaultOf, groupAt, type Level, type Tuple, tuplesOf } from './levels.js'
import type { MetricJson } from './model.js'
import { otherDimensions, sameButBy, type TimeAxis, timeAxis } from './periods.js'
import { baseColumn, formulaValue, type Sheet, sheetOf } from './sheet.js'
import { withoutTime } from './time-conjuncts.js'
import { type Dec, divide, keyOfAll, subtract, toDouble, type Value } from './values.js'

/** All NULL where the metric's time dimension is rolled up. */
export function priorColumn(sheet: Sheet, metric: MetricJson): readonly Value[] {
  const { level, tuples } = sheet
  const { timeDimension, grain, comparison = 'previousValue' } = metric.periodOverPeriod!
  const axis = timeAxis(level, timeDimension, grain)
  if (!axis) return tuples.map(() => null)
  const others = otherDimensions(level, axis)
  const where = withoutTime(level.world, level.where, timeDimension, level.asked)
  const prior = sameButBy(level, [axis.dimension, ...others.map((i) => level.dimensions[i]!)], where)
  const valueAt = componentsOf(metric).some((c) => isOverTime(level.world, c))
    ? lookedUp(prior, metric)
    : recomputed(prior, metric)
  const current = comparison === 'previousValue' ? undefined : baseColumn(sheet, metric)
  return tuples.map((tuple, i) => {
    const key = priorKey(level, axis, metric, tuple)
    const before = key === null ? null : valueAt([key, ...others.map((o) => tuple[o]!)])
    return current ? compared(comparison, current[i]!, before) : before
  })
}

/** The period that the row is compared with; null where it has no time. */
function priorKey({ world }: Level, axis: TimeAxis, metric: MetricJson, tuple: Tuple): Value {
  const { offset = -1, offsetGrain = axis.grain } = metric.periodOverPeriod!
  const time = tuple[axis.at]!
  return time === null ? null : truncate(axis.grain, addTo(time, offsetGrain, offset, world), world)
}

type ValueAt = (before: Tuple) => Value

/** The formula of the base there; a measure without a row there is NULL, counts too, then its default. */
function recomputed(prior: Level, metric: MetricJson): ValueAt {
  for (const name of atomsOf(prior.world, metric)) blockOf(prior, name)
  const priorOf = (name: string, before: Tuple): Value => {
    const part = metricOf(prior.world, name)
    if (part) return formulaValue(prior.world, baseOf(part), (n) => priorOf(n, before))
    return groupAt(blockOf(prior, name), before)?.value ?? defaultOf(prior.world, name)
  }
  return (before) => formulaValue(prior.world, baseOf(metric), (name) => priorOf(name, before))
}

/** The base in the question of its own, where it runs over the rows; NULL where that has no row. */
function lookedUp(prior: Level, metric: MetricJson): ValueAt {
  const made = tuplesOf(prior, atomsOf(prior.world, metric))
  const sheet = sheetOf(prior, withGaps(prior, made))
  const values = baseColumn(sheet, metric)
  const rows = new Map(sheet.tuples.map((tuple, i) => [keyOfAll(tuple), values[i]!]))
  return (before) => rows.get(keyOfAll(before)) ?? null
}

function compared(comparison: string, current: Value, before: Value): Value {
  if (current === null || before === null) return null
  if (comparison === 'difference') return subtract(current, before)
  if (comparison === 'ratio') return divide(current, before)
  return divide(subtract(current, before), Math.abs(toDouble(before as Dec | number)))
}
