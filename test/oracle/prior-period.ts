/** A base compared with itself in another period. */
import { addTo, truncate } from './calendar.js'
import { atomsOf, baseOf } from './components.js'
import { blockOf, defaultOf, groupAt, type Level, type Tuple } from './levels.js'
import type { MetricJson } from './model.js'
import { periodOf, sameButBy, type TimeAxis, timeAxis } from './periods.js'
import { baseColumn, formulaValue, type Sheet } from './sheet.js'
import { withoutTime } from './time-conjuncts.js'
import { type Dec, divide, subtract, toDouble, type Value } from './values.js'

/** All NULL where the metric's time dimension is rolled up. */
export function priorColumn(sheet: Sheet, metric: MetricJson): readonly Value[] {
  const { level, tuples } = sheet
  const { timeDimension, grain, comparison = 'previousValue' } = metric.periodOverPeriod!
  const axis = timeAxis(level, timeDimension, grain)
  if (!axis) return tuples.map(() => null)
  const where = withoutTime(level.world, level.where, timeDimension, level.asked)
  const prior = sameButBy(
    level,
    level.dimensions.map((d, i) => (i === axis.at ? axis.dimension : d)),
    where,
  )
  for (const name of atomsOf(level.world, metric)) blockOf(prior, name)
  const current = comparison === 'previousValue' ? undefined : baseColumn(sheet, metric)
  return tuples.map((tuple, i) => {
    const before = priorValue(prior, metric, axis, tuple)
    return current ? compared(comparison, current[i]!, before) : before
  })
}

/** The base where time is the prior key; a measure without a row there is NULL, counts too, then its default. */
function priorValue(prior: Level, metric: MetricJson, axis: TimeAxis, tuple: Tuple): Value {
  const { world } = prior
  const { offset = -1, offsetGrain = axis.grain } = metric.periodOverPeriod!
  if (periodOf(prior, axis, tuple) === null) return null
  const key = truncate(axis.grain, addTo(tuple[axis.at]!, offsetGrain, offset), world.weekStart)
  const before = tuple.map((v, i) => (i === axis.at ? key : v))
  return formulaValue(world, baseOf(metric), (name) => priorOf(prior, name, before))
}

function priorOf(prior: Level, name: string, before: Tuple): Value {
  const metric = prior.world.model.metrics?.[name]
  if (metric) return formulaValue(prior.world, baseOf(metric), (n) => priorOf(prior, n, before))
  return groupAt(blockOf(prior, name), before)?.value ?? defaultOf(prior.world, name)
}

function compared(comparison: string, current: Value, before: Value): Value {
  if (current === null || before === null) return null
  if (comparison === 'difference') return subtract(current, before)
  if (comparison === 'ratio') return divide(current, before)
  return divide(subtract(current, before), Math.abs(toDouble(before as Dec | number)))
}
