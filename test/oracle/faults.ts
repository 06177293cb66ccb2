/** The reasons why a query must be refused for any rows: all requirements of its measures and metrics. */
import { innerDimensions } from './aggregate-metric.js'
import { lengthOf } from './calendar.js'
import {
  atomNamed,
  atomNames,
  baseOf,
  componentsOf,
  isOverTime,
  kindOfNode,
  metricOf,
  metricsBelow,
  rowMetricOf,
  timeOf,
  typeOf,
} from './components.js'
import type { Asked } from './fields.js'
import { missingOf } from './grain.js'
import { type Level, levelOf } from './levels.js'
import type { FilterJson, MetricJson } from './model.js'
import { isFiner, lackOfMetric } from './over-range.js'
import { inPeriods, isOfTime, timeNamed } from './periods.js'
import { isParted, lacksRanges, wholeRange } from './prior-period.js'
import { Refusal } from './refusal.js'
import { isKnown, rangesLeft } from './row-ranges.js'
import { areMovedInTwoWays, countsAnotherUnit, placesOf } from './table-grains.js'
import { namedPeriods, readingOf } from './time-conjuncts.js'
import { levelUntilNow } from './until-now.js'
import type { World } from './world.js'

export interface Fault {
  readonly code: string
  readonly why: string
}

/** The conjuncts of a query, and its time. */
interface Conjuncts {
  readonly where: readonly FilterJson[]
  readonly now: Date
  readonly cut?: readonly string[]
  /** What the questions show of which it is a part. */
  readonly around?: readonly Asked[]
}

/** Refuses with the first fault; any of them is correct. */
export function checkNames(world: World, names: readonly string[], asked: readonly Asked[], query: Conjuncts): void {
  const faults = faultsOf(world, names, asked, query)
  if (faults.length > 0)
    throw new Refusal(
      faults[0]!.code,
      faults[0]!.why,
      faults.map((f) => f.code),
    )
}

/**
 * Refuses if a metric runs, at any level of subtotals, along a time that `top` groups: the group of the others has no single period. Or if it cannot run
 * along the time of the detail rows, which may be another than that of all levels together.
 */
export function checkLevels(
  world: World,
  names: readonly string[],
  levels: readonly (readonly Asked[])[],
  query: Conjuncts,
): void {
  const code = 'TIME_DIMENSION_NOT_SELECTED'
  const times = metricsBelow(world, names).flatMap((name) => timeOf(metricOf(world, name)!) ?? [])
  const cut = times.find((time) => levels.some((level) => timeNamed(world, level, time)?.top))
  if (cut !== undefined) throw new Refusal(code, `at some level top makes groups of ${cut}`, [code])
  const isDetail = (level: readonly Asked[]): boolean =>
    query.around?.every((one) => one.toldBy !== undefined || level.includes(one)) ?? false
  // A level of all dimensions is what `checkNames` has checked.
  const detail = levels.filter((level) => level.length !== query.around?.length && isDetail(level))
  const [fault] = detail.flatMap((level) => faultsOf(world, names, level, query)).filter((one) => one.code === 'INVALID_METRIC')
  if (fault) throw new Refusal(fault.code, fault.why, [fault.code])
}

function faultsOf(world: World, names: readonly string[], asked: readonly Asked[], query: Conjuncts): readonly Fault[] {
  const atoms = [...new Set(names.flatMap((n) => atomNames(world, n)))]
  return [
    ...atoms.flatMap((name) => atomFaults(world, name, asked, query)),
    ...metricsAt(world, names, asked, query).flatMap(([name, own]) => metricFaults(world, name, asked, own)),
  ]
}

/** The metrics below fields, with the conjuncts under which they are evaluated. */
function metricsAt(
  world: World,
  names: readonly string[],
  asked: readonly Asked[],
  query: Conjuncts,
): readonly (readonly [string, Conjuncts])[] {
  return metricsBelow(world, names).flatMap((name): readonly (readonly [string, Conjuncts])[] => {
    const above = names.includes(name) ? [query] : []
    return [...above, ...conjunctsBelow(world, names, name, asked, query)].map((own) => [name, untilNow(world, name, asked, own)])
  })
}

/** The conjuncts of the metrics of which a metric is a part. */
function conjunctsBelow(
  world: World,
  names: readonly string[],
  part: string,
  asked: readonly Asked[],
  query: Conjuncts,
): readonly Conjuncts[] {
  return names.flatMap((name) => {
    const metric = metricOf(world, name)
    if (!metric) return []
    const own = untilNow(world, name, asked, query)
    const parts = componentsOf(metric)
    return [...(parts.includes(part) ? [own] : []), ...conjunctsBelow(world, parts, part, asked, own)]
  })
}

function untilNow(world: World, name: string, asked: readonly Asked[], query: Conjuncts): Conjuncts {
  const {
    written,
    now,
    cut = [],
  } = levelUntilNow(levelAt(world, asked, query), metricOf(world, name)!) ?? levelAt(world, asked, query)
  return { where: written, now, cut, around: query.around ?? [] }
}

/** The base of an aggregate is computed at further dimensions; that of a conversion has the grain. */
function atomFaults(world: World, name: string, asked: readonly Asked[], query: Conjuncts): readonly Fault[] {
  const metric = rowMetricOf(world, name)
  if (metric?.type === 'aggregate') return faultsOf(world, [metric.measure!], innerDimensions(world, metric, asked, asked), query)
  const { measure } = atomNamed(world, metric ? (metric.base ?? metric.steps![0]!.measure) : name)
  return missingOf(measure, asked).map((n) => ({ code: 'GRAIN_NOT_SUBSET', why: `${name} includes ${n}` }))
}

function metricFaults(world: World, name: string, asked: readonly Asked[], query: Conjuncts): readonly Fault[] {
  const metric = metricOf(world, name)!
  const time = timeOf(metric)
  const dimension = time === undefined ? undefined : timeNamed(world, asked, time)
  const looksBack = LOOKING_BACK.includes(typeOf(metric))
  return [
    ...(time !== undefined && !dimension ? withoutTimeFaults(world, name, metric, asked, query) : []),
    ...(dimension?.top
      ? [{ code: 'TIME_DIMENSION_NOT_SELECTED', why: `${name} runs along ${time}, of which top makes groups` }]
      : []),
    ...(dimension && countsAnotherUnit(world, metric, dimension.grain)
      ? [{ code: 'INVALID_METRIC', why: `${name} counts no periods of the table` }]
      : []),
    ...(dimension && looksBack ? twoWaysFaults(world, name, dimension, asked) : []),
    ...(dimension ? offsetFaults(name, metric, dimension) : []),
    ...differenceFaults(world, name, metric),
    ...(dimension && typeOf(metric) === 'period_over_period' && lacksRanges(levelAt(world, asked, query), metric)
      ? [{ code: 'INVALID_METRIC', why: `${name} goes back by less than a period` }]
      : []),
    ...(dimension && typeOf(metric) === 'period_over_period' && isParted(levelAt(world, asked, query), metric)
      ? [{ code: 'TIME_FILTER_NOT_A_RANGE', why: `${name} has two parts of a period` }]
      : []),
    ...(dimension && metric.periodOverPeriod?.offsetGrain === 'range'
      ? lengthFaults(name, levelAt(world, asked, query), metric, dimension)
      : []),
    ...(dimension && typeOf(metric) === 'period_over_period' ? innerOffsetFaults(world, metric, dimension, asked, query) : []),
    ...(typeOf(metric) === 'cumulative' ? innerTimeFaults(world, metric, asked, query) : []),
    ...(looksBack ? query.where.flatMap((f) => mixingFaults(world, f, time!, asked)) : []),
    ...(looksBack ? rangeFaults(world, query.where, time!, asked) : []),
  ]
}

/** A value at another period is found by its number, and no row has two of them. Of places in longer periods, none follow each other. */
function twoWaysFaults(world: World, name: string, dimension: Asked, asked: readonly Asked[]): readonly Fault[] {
  const metric = metricOf(world, name)!
  const below = allBelow(world, componentsOf(metric))
  const isOver = (one: MetricJson): boolean => one.type === 'period_over_period' || one.type === 'cumulative'
  const isOther = below
    .filter(isOver)
    .some((one) => timeNamed(world, asked, timeOf(one)!) === dimension && areMovedInTwoWays(world, metric, one, dimension.grain))
  const dependsOnRows = below.some(
    (one) => one.type === 'window' || (one.type === 'aggregate' && componentsOf(one).some((c) => isOverTime(world, c))),
  )
  return isOther || (dependsOnRows && placesOf(world, metric, dimension.grain))
    ? [{ code: 'INVALID_METRIC', why: `${name} moves periods in two ways` }]
    : []
}

/** The metrics among fields and below them, also in the groups of an aggregate. */
function allBelow(world: World, names: readonly string[]): readonly MetricJson[] {
  return names.flatMap((name): readonly MetricJson[] => {
    const metric = metricOf(world, name) ?? rowMetricOf(world, name)
    return !metric || metric.type === 'conversion' || metric.type === 'funnel'
      ? []
      : [metric, ...allBelow(world, componentsOf(metric))]
  })
}

/**
 * A metric over time has a value without its time, unless it counts in periods of the query or needs ends of its times. Where a question around it
 * shows the time, it is NULL, as in a subtotal.
 */
function withoutTimeFaults(
  world: World,
  name: string,
  metric: MetricJson,
  asked: readonly Asked[],
  query: Conjuncts,
): readonly Fault[] {
  const why = `${name} runs along ${timeOf(metric)}`
  const isWindow = typeOf(metric) === 'window'
  if (!isWindow && timeNamed(world, query.around ?? [], timeOf(metric)!)) return []
  const code = isWindow
    ? 'TIME_DIMENSION_NOT_SELECTED'
    : lackOfMetric(wholeRange(levelAt(world, asked, query), timeOf(metric)!), metric)
  return code === undefined ? [] : [{ code, why }]
}

/** Only numbers have a difference. */
function differenceFaults(world: World, name: string, metric: MetricJson): readonly Fault[] {
  const { comparison = 'previousValue' } = metric.periodOverPeriod ?? {}
  if (comparison === 'previousValue') return []
  const kind = kindOfNode(world, baseOf(metric))
  const isNumber = kind === 'int' || kind === 'decimal' || kind === 'float'
  return isNumber ? [] : [{ code: 'EXPRESSION_TYPE_MISMATCH', why: `${name} compares values of type ${kind}` }]
}

/** A level that shows the time by day or finer moves by the length of one range. */
function lengthFaults(name: string, level: Level, metric: MetricJson, dimension: Asked): readonly Fault[] {
  const ranges = rangesLeft(level, metric.periodOverPeriod!.timeDimension)
  const [range] = ranges
  const inUse = grainInUse(metric, dimension)
  const isOfDays = [range?.from, range?.until].every((at) => at !== undefined && at % 86_400_000_000 === 0)
  const fault = (code: string): readonly Fault[] => [{ code, why: `${name} moves by the length of the times` }]
  return [
    ...(ranges.length > 1 ? fault('TIME_FILTER_NOT_A_RANGE') : []),
    ...(!isKnown(level, metric.periodOverPeriod!.timeDimension) || range?.from === undefined || range.until === undefined
      ? fault('TIME_RANGE_REQUIRED')
      : []),
    ...(lengthOf(inUse) > lengthOf('day') || (!isOfDays && lengthOf(inUse) > lengthOf('second')) ? fault('INVALID_METRIC') : []),
  ]
}

const levelAt = (world: World, asked: readonly Asked[], { where, now, cut = [] }: Conjuncts): Level =>
  levelOf({ world, now, asked, dimensions: asked, shown: asked, written: where, where, cut })

/** A base over time is computed at the grain in use: offsets below it are checked there. */
function innerOffsetFaults(world: World, metric: MetricJson, dimension: Asked, asked: readonly Asked[], query: Conjuncts) {
  const base = componentsOf(metric)
  if (!base.some((c) => isOverTime(world, c))) return []
  const inUse = inPeriods(world, dimension, grainInUse(metric, dimension))
  const inner = asked.flatMap((a) => (a === dimension ? inUse : isOfTime(world, a, dimension) ? [] : a))
  return faultsOf(world, base, inner, query).filter((f) => f.code === 'INVALID_METRIC')
}

const grainInUse = ({ periodOverPeriod }: MetricJson, { grain }: Asked): string => grain ?? periodOverPeriod?.grain ?? 'day'

/** A base over time has its time among the dimensions at which it is read. */
function innerTimeFaults(
  world: World,
  { measure, timeDimension, partitionBy }: MetricJson,
  asked: readonly Asked[],
  query: Conjuncts,
) {
  const along = timeNamed(world, asked, timeDimension!)
  const inner = asked.filter((a) => a === along || (partitionBy?.includes(a.name) ?? true))
  const around = [...asked, ...(query.around ?? [])]
  return faultsOf(world, [measure!], inner, { ...query, around }).filter((f) => f.code === 'TIME_DIMENSION_NOT_SELECTED')
}

const LOOKING_BACK: readonly string[] = ['period_over_period', 'cumulative']

function offsetFaults(name: string, metric: MetricJson, dimension: Asked): readonly Fault[] {
  const inUse = grainInUse(metric, dimension)
  const { grainToDate, windowGrain } = metric
  if (windowGrain !== undefined && lengthOf(windowGrain) < lengthOf(inUse) && !isFiner(metric, inUse))
    return [{ code: 'INVALID_METRIC', why: `${name} looks back by ${windowGrain} at the grain ${inUse}` }]
  if (grainToDate !== undefined && lengthOf(grainToDate) < lengthOf(inUse))
    return [{ code: 'INVALID_METRIC', why: `${name} starts again with each ${grainToDate} at the grain ${inUse}` }]
  const { offsetToGrain } = metric.periodOverPeriod ?? {}
  if (offsetToGrain !== undefined && lengthOf(offsetToGrain) < lengthOf(inUse))
    return [{ code: 'INVALID_METRIC', why: `${name} goes back to the first ${offsetToGrain} at the grain ${inUse}` }]
  return []
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
