/** Why a query must be refused, whatever the rows are: everything that its measures and metrics ask of it. */
import { GRAINS } from './calendar.js'
import { atomNamed, atomNames, componentsNamed, metricOf, metricsBelow, timeOf, typeOf } from './components.js'
import type { Asked } from './fields.js'
import { missingOf } from './grain.js'
import type { FilterJson, MetricJson } from './model.js'
import { Refusal } from './refusal.js'
import { readingOf } from './time-conjuncts.js'
import type { World } from './world.js'

export interface Fault {
  readonly code: string
  readonly why: string
}

/** Refuses with the first fault; any of them is right. */
export function checkNames(world: World, names: readonly string[], asked: readonly Asked[], where: readonly FilterJson[]): void {
  const metrics = metricsBelow(world, names)
  const faults = [...grainFaults(world, names, asked), ...metrics.flatMap((name) => metricFaults(world, name, asked, where))]
  if (faults.length > 0)
    throw new Refusal(
      faults[0]!.code,
      faults[0]!.why,
      faults.map((f) => f.code),
    )
}

function grainFaults(world: World, names: readonly string[], asked: readonly Asked[]): readonly Fault[] {
  const atoms = [...new Set(names.flatMap((n) => atomNames(world, n)))]
  return atoms.flatMap((name) =>
    missingOf(atomNamed(world, name).measure, asked).map((n) => ({ code: 'GRAIN_NOT_SUBSET', why: `${name} includes ${n}` })),
  )
}

function metricFaults(world: World, name: string, asked: readonly Asked[], where: readonly FilterJson[]): readonly Fault[] {
  const metric = metricOf(world, name)!
  const time = timeOf(metric)
  const dimension = asked.find((a) => a.name === time)
  const looksBack = LOOKING_BACK.includes(typeOf(metric))
  return [
    ...(time !== undefined && !dimension ? [{ code: 'TIME_DIMENSION_NOT_SELECTED', why: `${name} runs along ${time}` }] : []),
    ...(dimension ? offsetFaults(name, metric, dimension) : []),
    ...(looksBack ? nestingFaults(world, name) : []),
    ...(looksBack ? where.flatMap((f) => mixingFaults(world, f, time!, asked)) : []),
  ]
}

const LOOKING_BACK: readonly string[] = ['period_over_period', 'cumulative']

function offsetFaults(name: string, { periodOverPeriod }: MetricJson, { grain }: Asked): readonly Fault[] {
  const inUse = grain ?? periodOverPeriod?.grain ?? 'day'
  const { offsetGrain = inUse } = periodOverPeriod ?? {}
  if (GRAINS.indexOf(offsetGrain) >= GRAINS.indexOf(inUse)) return []
  return [{ code: 'INVALID_METRIC', why: `${name} goes back by ${offsetGrain} at the grain ${inUse}` }]
}

/** A prior period or a running value of a window, a prior period or a running value. */
function nestingFaults(world: World, name: string): readonly Fault[] {
  const inner = metricsBelow(world, componentsNamed(world, name)).filter((m) => typeOf(metricOf(world, m)!) !== 'derived')
  return inner.map((m) => ({ code: 'UNSUPPORTED_FEATURE', why: `${name} over ${m}` }))
}

function mixingFaults(world: World, filter: FilterJson, time: string, asked: readonly Asked[]): readonly Fault[] {
  return readingOf(world, filter, time, asked) === 'mixed'
    ? [{ code: 'TIME_FILTER_NOT_SEPARABLE', why: JSON.stringify(filter) }]
    : []
}
