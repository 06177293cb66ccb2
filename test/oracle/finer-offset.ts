/** Comparisons whose offset is finer than the periods of a level: the range of each period is moved. */
import { lengthOf } from './calendar.js'
import { componentsOf, metricOf, typeOf } from './components.js'
import { calendarGrain } from './fiscal.js'
import type { MetricJson } from './model.js'
import type { World } from './world.js'

interface Finer {
  readonly metric: MetricJson
  readonly unit: string
  /** The units by which the range was moved before, once it was no period. */
  readonly before: readonly string[]
}

/** The comparison itself and those below it that move ranges which are no periods then. */
export function finerIn(world: World, metric: MetricJson, grain: string, before: readonly string[] = []): readonly Finer[] {
  const { offsetGrain, offsetToGrain, comparison = 'previousValue' } = metric.periodOverPeriod!
  const unit = offsetGrain === undefined || offsetGrain === 'range' ? grain : offsetGrain
  const isWhole = before.length === 0 && (offsetToGrain !== undefined || lengthOf(unit) >= lengthOf(grain))
  const after = isWhole ? [] : [...before, unit]
  const below = comparisonsIn(world, componentsOf(metric))
  return [
    ...(isWhole ? [] : [{ metric, unit, before }]),
    ...below.flatMap((one) => finerIn(world, one, grain, after)),
    ...(comparison === 'previousValue' ? [] : below.flatMap((one) => finerIn(world, one, grain, before))),
  ]
}

function comparisonsIn(world: World, names: readonly string[]): readonly MetricJson[] {
  return names.flatMap((name): readonly MetricJson[] => {
    const metric = metricOf(world, name)
    if (!metric) return []
    if (typeOf(metric) === 'period_over_period') return [metric]
    return typeOf(metric) === 'derived' ? comparisonsIn(world, componentsOf(metric)) : []
  })
}

/** Whether a running value is among the parts of a metric. */
export function hasRunning(world: World, metric: MetricJson): boolean {
  return componentsOf(metric).some((name) => {
    const below = metricOf(world, name)
    return below !== undefined && (typeOf(below) === 'cumulative' || (typeOf(below) !== 'window' && hasRunning(world, below)))
  })
}

/** Whether a time belongs to the range of one period: lengths and the months with which the periods begin move every end alike. */
export function isMovable(world: World, grain: string, { metric, unit, before }: Finer): boolean {
  if (metric.periodOverPeriod!.offsetToGrain !== undefined) return false
  if (isLength(unit)) return true
  if (before.some(isLength)) return false
  const [own, other] = [monthsOf(world, unit), monthsOf(world, grain)]
  return own === other || (own === '1' && Number(other) <= 28)
}

const isLength = (unit: string): boolean => ['second', 'minute', 'hour', 'day', 'week'].includes(unit.split('_').at(-1) ?? unit)

/** The day on which the months of a grain begin, or the name of a calendar of weeks. */
function monthsOf({ calendars }: World, grain: string): string {
  const calendar = calendarGrain(grain, calendars)?.calendar
  if (!calendar) return '1'
  return calendar.yearStart === undefined ? grain.replace(/_[a-z]+$/, '') : String(Number(calendar.yearStart.split('-')[1]))
}
