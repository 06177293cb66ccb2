/** The reasons why a query must be refused for any rows: all requirements of its measures and metrics. */
import { innerDimensions } from './aggregate-metric.js'
import { lengthOf } from './calendar.js'
import {
  atomNamed,
  atomNames,
  componentsOf,
  isOverTime,
  metricOf,
  metricsBelow,
  rowMetricOf,
  timeOf,
  typeOf,
} from './components.js'
import type { Asked } from './fields.js'
import { missingOf } from './grain.js'
import type { FilterJson, MetricJson } from './model.js'
import { inPeriods, isOfTime, timeNamed } from './periods.js'
import { Refusal } from './refusal.js'
import { namedPeriods, readingOf } from './time-conjuncts.js'
import type { World } from './world.js'

export interface Fault {
  readonly code: string
  readonly why: string
}

/** Refuses with the first fault; any of them is correct. */
export function checkNames(world: World, names: readonly string[], asked: readonly Asked[], where: readonly FilterJson[]): void {
  const faults = faultsOf(world, names, asked, where)
  if (faults.length > 0)
    throw new Refusal(
      faults[0]!.code,
      faults[0]!.why,
      faults.map((f) => f.code),
    )
}

/** Refuses if a metric runs, at any level of subtotals, along a time that `top` groups: the group of the others has no single period. */
export function checkLevels(world: World, names: readonly string[], levels: readonly (readonly Asked[])[]): void {
  const code = 'TIME_DIMENSION_NOT_SELECTED'
  const times = metricsBelow(world, names).flatMap((name) => timeOf(metricOf(world, name)!) ?? [])
  const cut = times.find((time) => levels.some((level) => timeNamed(world, level, time)?.top))
  if (cut !== undefined) throw new Refusal(code, `at some level top makes groups of ${cut}`, [code])
}

function faultsOf(
  world: World,
  names: readonly string[],
  asked: readonly Asked[],
  where: readonly FilterJson[],
): readonly Fault[] {
  const atoms = [...new Set(names.flatMap((n) => atomNames(world, n)))]
  return [
    ...atoms.flatMap((name) => atomFaults(world, name, asked, where)),
    ...metricsBelow(world, names).flatMap((name) => metricFaults(world, name, asked, where)),
  ]
}

/** The base of an aggregate is computed at further dimensions; that of a conversion has the grain. */
function atomFaults(world: World, name: string, asked: readonly Asked[], where: readonly FilterJson[]): readonly Fault[] {
  const metric = rowMetricOf(world, name)
  if (metric?.type === 'aggregate') return faultsOf(world, [metric.measure!], innerDimensions(world, metric, asked, asked), where)
  const { measure } = atomNamed(world, metric ? (metric.base ?? metric.steps![0]!.measure) : name)
  return missingOf(measure, asked).map((n) => ({ code: 'GRAIN_NOT_SUBSET', why: `${name} includes ${n}` }))
}

function metricFaults(world: World, name: string, asked: readonly Asked[], where: readonly FilterJson[]): readonly Fault[] {
  const metric = metricOf(world, name)!
  const time = timeOf(metric)
  const dimension = time === undefined ? undefined : timeNamed(world, asked, time)
  const looksBack = LOOKING_BACK.includes(typeOf(metric))
  return [
    ...(time !== undefined && !dimension ? [{ code: 'TIME_DIMENSION_NOT_SELECTED', why: `${name} runs along ${time}` }] : []),
    ...(dimension?.top
      ? [{ code: 'TIME_DIMENSION_NOT_SELECTED', why: `${name} runs along ${time}, of which top makes groups` }]
      : []),
    ...(dimension ? offsetFaults(name, metric, dimension) : []),
    ...(dimension && typeOf(metric) === 'period_over_period' ? innerOffsetFaults(world, metric, dimension, asked, where) : []),
    ...(typeOf(metric) === 'cumulative' ? innerTimeFaults(world, metric, asked, where) : []),
    ...(looksBack ? where.flatMap((f) => mixingFaults(world, f, time!, asked)) : []),
    ...(looksBack ? rangeFaults(world, where, time!, asked) : []),
  ]
}

/** A base over time is computed at the grain in use: offsets below it are checked there. */
function innerOffsetFaults(
  world: World,
  metric: MetricJson,
  dimension: Asked,
  asked: readonly Asked[],
  where: readonly FilterJson[],
) {
  const base = componentsOf(metric)
  if (!base.some((c) => isOverTime(world, c))) return []
  const inUse = inPeriods(world, dimension, grainInUse(metric, dimension))
  const inner = asked.flatMap((a) => (a === dimension ? inUse : isOfTime(world, a, dimension) ? [] : a))
  return faultsOf(world, base, inner, where).filter((f) => f.code === 'INVALID_METRIC')
}

const grainInUse = ({ periodOverPeriod }: MetricJson, { grain }: Asked): string => grain ?? periodOverPeriod?.grain ?? 'day'

/** A base over time has its time among the dimensions at which it is read. */
function innerTimeFaults(
  world: World,
  { measure, timeDimension, partitionBy }: MetricJson,
  asked: readonly Asked[],
  where: readonly FilterJson[],
) {
  const along = timeNamed(world, asked, timeDimension!)
  const inner = asked.filter((a) => a === along || (partitionBy?.includes(a.name) ?? true))
  return faultsOf(world, [measure!], inner, where).filter((f) => f.code === 'TIME_DIMENSION_NOT_SELECTED')
}

const LOOKING_BACK: readonly string[] = ['period_over_period', 'cumulative']

function offsetFaults(name: string, metric: MetricJson, dimension: Asked): readonly Fault[] {
  const inUse = grainInUse(metric, dimension)
  const { grainToDate, windowGrain } = metric
  if (windowGrain !== undefined && lengthOf(windowGrain) < lengthOf(inUse))
    return [{ code: 'INVALID_METRIC', why: `${name} looks back by ${windowGrain} at the grain ${inUse}` }]
  if (grainToDate !== undefined && lengthOf(grainToDate) < lengthOf(inUse))
    return [{ code: 'INVALID_METRIC', why: `${name} starts again with each ${grainToDate} at the grain ${inUse}` }]
  const { offsetToGrain, offsetGrain = offsetToGrain ?? inUse } = metric.periodOverPeriod ?? {}
  if (lengthOf(offsetGrain) >= lengthOf(inUse)) return []
  return [{ code: 'INVALID_METRIC', why: `${name} goes back by ${offsetGrain} at the grain ${inUse}` }]
}

function mixingFaults(world: World, filter: FilterJson, time: string, asked: readonly Asked[]): readonly Fault[] {
  return readingOf(world, filter, time, asked) === 'mixed'
    ? [{ code: 'TIME_FILTER_NOT_SEPARABLE', why: JSON.stringify(filter) }]
    : []
}

function rangeFaults(world: World, where: readonly FilterJson[], time: string, asked: readonly Asked[]): readonly Fault[] {
  try {
    namedPeriods(world, where, time, asked)
    return []
  } catch (error) {
    if (error instanceof Refusal) return [{ code: error.code, why: error.message }]
    throw error
  }
}
