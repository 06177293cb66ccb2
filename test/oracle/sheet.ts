/** The rows of a level with any measure or metric for each. */
import { baseOf, isInstantName, kindOfName, metricOf, timeOf, typeOf } from './components.js'
import { cumulativeColumn } from './cumulative.js'
import { evaluateTyped, type Node } from './expressions.js'
import { type Level, type Tuple, valueAt } from './levels.js'
import type { MetricJson } from './model.js'
import { timeAxis } from './periods.js'
import { priorColumn } from './prior-period.js'
import { ofClock } from './time-functions.js'
import { isAfterNow, levelUntilNow, timesUntilNow } from './until-now.js'
import type { Value } from './values.js'
import { windowColumn } from './windows.js'
import type { World } from './world.js'

export interface Sheet {
  readonly level: Level
  readonly tuples: readonly Tuple[]
  /** One value per tuple: NULL replaced by `defaultValue`, never rounded. */
  readonly column: (name: string) => readonly Value[]
}

export function sheetOf(level: Level, tuples: readonly Tuple[]): Sheet {
  const columns = new Map<string, readonly Value[]>()
  const column = (name: string): readonly Value[] => {
    const known = columns.get(name) ?? columnOf(sheet, name)
    columns.set(name, known)
    return known
  }
  const sheet: Sheet = { level, tuples, column }
  return sheet
}

function columnOf(sheet: Sheet, name: string): readonly Value[] {
  const metric = metricOf(sheet.level.world, name)
  return metric ? metricColumn(sheet, metric) : sheet.tuples.map((tuple) => valueAt(sheet.level, name, tuple))
}

function metricColumn(sheet: Sheet, metric: MetricJson): readonly Value[] {
  const cut = levelUntilNow(sheet.level, metric)
  if (cut) return untilNowColumn(sheetOf(cut, sheet.tuples), metric)
  switch (typeOf(metric)) {
    case 'derived':
      return baseColumn(sheet, metric)
    case 'window':
      return windowColumn(sheet, metric)
    case 'period_over_period':
      return priorColumn(sheet, metric)
    case 'cumulative':
      return cumulativeColumn(sheet, metric)
  }
}

/** Periods that begin after the present have no value. */
function untilNowColumn(sheet: Sheet, metric: MetricJson): readonly Value[] {
  const { level, tuples } = sheet
  const time = timeOf(metric)!
  const values = metricColumn(sheet, metric)
  const axis = timesUntilNow(level.world, metric).includes(time)
    ? timeAxis(level, time, metric.periodOverPeriod?.grain)
    : undefined
  return axis ? values.map((value, i) => (isAfterNow(level, axis, time, tuples[i]!) ? null : value)) : values
}

/** The formula of the metric, or its components, in each row. */
export const baseColumn = (sheet: Sheet, metric: MetricJson): readonly Value[] =>
  sheet.tuples.map((_, i) => formulaValue(sheet.level.world, baseOf(metric), (name) => sheet.column(name)[i]!))

export const formulaValue = (world: World, node: Node, read: (name: string) => Value): Value =>
  ofClock(
    node,
    evaluateTyped(
      node,
      (ref) => read(ref.parts[0]!),
      (ref) => kindOfName(world, ref.parts[0]!) === 'float',
    ),
    (ref) => isInstantName(world, ref.parts[0]!),
  )
