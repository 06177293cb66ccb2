import { fail } from '../errors.js'
import { type Grain, lengthOfGrain, nameOfGrain } from '../model/grain.js'
import type { CumulativeMetric } from '../model/semantic-model.js'
import type { Range } from '../time-zones/ranges.js'
import { bucket } from './bucket.js'
import { binary } from './expressions.js'
import { finerWindow, firstPeriodOf, isFiner } from './finer-window.js'
import { beginOf, columnOf, type FirstPeriod } from './full-windows.js'
import { knownLeft } from './known-left.js'
import type { Modifier } from './modifiers.js'
import { type LevelPeriods, movedRange } from './moved-range.js'
import { namesPeriod, upToTheEnd } from './named-periods.js'
import { inNumbersOf } from './other-units.js'
import { type Along, inPeriods, refuseMixed, timeConjuncts, timeOf } from './periods.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import { type Conjunct, nameOfDimension, type PeriodWindow, type ResolvedDimension } from './resolved-query.js'
import { floor, type Micros, shift } from './time.js'
import { upperBound } from './time-bound.js'
import { decidedBy } from './time-dimension.js'
import { conjunctsInRange, withoutTimes } from './times-read.js'
import { upTo } from './up-to.js'

export interface RunningModifier extends Modifier {
  readonly window: PeriodWindow
  /** The conjuncts of the query that are on no time of the metric. */
  readonly always: (seen: readonly Conjunct[], base?: string) => readonly Conjunct[]
  /** Whether the window of a row begins no earlier than the period of the first rows. */
  readonly isFull: (first: FirstPeriod) => RowExpr
}

/** The modifier of a cumulative metric for its aggregates: its window, and time conjuncts without their lower bounds. */
export function cumulativeWindow(metric: CumulativeMetric, within: Along): RunningModifier {
  const { dimensions, where, clocks, outer } = within
  const time = outer ? inNumbersOf(metric, outer.shift.dimension, [], within) : timeOf(metric, dimensions, within)
  const { grainToDate, windowGrain } = metric
  const level = outer?.shift.period.grain ?? time.grain ?? 'day'
  const finer = isFiner(metric, level)
  refuseFiner(metric, within)
  const others = dimensions.filter((d) => d !== time)
  const shown = relationColumn('', time.name, time.type)
  const start = outer?.shift.key ?? (time.grain ? shown : bucket<RelationColumn>(shown, time.type, 'day', clocks))
  const { partitionBy } = metric
  const along = decidedBy(time, dimensions, within.graph)
  const partition = others.filter((d) => (partitionBy ? partitionBy.includes(nameOfDimension(d)) : !along.includes(d)))
  // Which conditions are on its time is determined once for all levels of subtotals.
  const judged = timeOf(metric, within.selected, within)
  if (!outer) refuseMixed(metric.name, judged, where, within.graph)
  const period = outer?.shift.period ?? inPeriods(time, 'day')
  const before = windowBefore(metric, { grain: undefined, weekStart: clocks.weekStart })
  const rows = { time, start, grain: level, judged, before }
  const window: PeriodWindow = {
    time,
    ...(finer
      ? finerWindow(metric, rows, within)
      : { period, own: start, grain: period.grain!, periods: metric.window, unit: windowGrain }),
    partition,
    toDate: grainToDate,
    groupBy: [],
  }
  return {
    key: outer ? `${outer.key} running ${metric.name}` : `running ${metric.name}`,
    label: outer ? `${outer.label} running` : 'running',
    shift: undefined,
    window,
    // With a modifier for another period, the window ends at that period.
    conjuncts: outer?.times
      ? (seen, base, isTimed = true) => (isTimed ? withoutTimes(outer.times!, seen, base) : upToCompared(outer, seen, base))
      : (outer?.conjuncts ?? ((seen, base) => (finer ? upToTheLast : upperBounds)(metric.name, judged, seen, within, base))),
    always: (seen, base) =>
      outer?.times ? withoutTimes(outer.times, seen, base) : withoutConjuncts(metric, judged, seen, within, base),
    isFull: (first) =>
      binary<RelationColumn>('<=', finer ? firstPeriodOf(metric, rows, within, first) : columnOf(first), beginOf(window)),
  }
}

function withoutConjuncts(
  { name }: CumulativeMetric,
  time: ResolvedDimension,
  seen: readonly Conjunct[],
  { graph }: Along,
  base: string | undefined,
): readonly Conjunct[] {
  const past = timeConjuncts(name, time, seen, graph, base)
  return seen.filter((c) => !past.includes(c))
}

/** Of an aggregate whose grain has no time, the window is all times up to the end of the compared ones. */
function upToCompared(outer: Modifier, seen: readonly Conjunct[], base: string | undefined): readonly Conjunct[] {
  const compared = outer.conjuncts(seen, base, false)
  if (compared.every((c) => seen.includes(c))) return compared
  return conjunctsInRange({ ...outer.times!, window: ({ to }) => ({ from: undefined, to }) }, seen, base, false)
}

/** Up to the last time that several conjuncts leave together, with which the range of the last row ends. */
function upToTheLast(
  metric: string,
  time: ResolvedDimension,
  seen: readonly Conjunct[],
  within: Along,
  base: string | undefined,
): readonly Conjunct[] {
  const { graph, model, clocks, path } = within
  const past = timeConjuncts(metric, time, seen, graph, base)
  const last = past.length > 1 ? knownLeft(past, { time, clocks, model })?.at(-1)?.to : undefined
  if (last === undefined) return upperBounds(metric, time, seen, within, base)
  return [...seen.filter((c) => !past.includes(c)), upTo(last, time, clocks, path)]
}

/** Conjuncts on time without their lower bounds; those on columns of periods together are one upper bound. */
function upperBounds(
  metric: string,
  time: ResolvedDimension,
  seen: readonly Conjunct[],
  { graph, model, clocks }: Along,
  base: string | undefined,
): readonly Conjunct[] {
  const past = timeConjuncts(metric, time, seen, graph, base)
  const [first, ...rest] = past.filter((c) => namesPeriod(c, model))
  const named = first && new Map([[first, upToTheEnd([first, ...rest], time, { model, clocks })]])
  return seen.flatMap((c) => {
    if (!past.includes(c)) return [c]
    return named && (c === first || rest.includes(c)) ? (named.get(c) ?? []) : (upperBound(c, clocks) ?? [])
  })
}

/** Why a running value has none at a level: its unit is finer than the periods there, and they do not end with one. */
export function lackOfUnit(metric: CumulativeMetric, within: Along): string | undefined {
  const shown = within.outer?.shift.period.grain ?? timeOf(metric, within.dimensions, within).grain ?? 'day'
  return unitFault(metric, shown, nameOfGrain(shown))
}

/** The grain of the whole query counts, and not that of its subtotals (decision 66). */
function refuseFiner(metric: CumulativeMetric, within: Along): void {
  const shown = within.outer?.shift.finest ?? timeOf(metric, within.selected, within).grain ?? 'day'
  const fault = unitFault(metric, shown, `the query's ${nameOfGrain(shown)}`)
  const unit = metric.grainToDate ?? metric.windowGrain
  if (fault && unit)
    fail('INVALID_METRIC', fault, {
      path: within.path,
      hint: `select '${metric.timeDimension}' at ${nameOfGrain(unit)} or finer`,
    })
}

function unitFault(metric: CumulativeMetric, shown: Grain, what: string): string | undefined {
  const unit = metric.grainToDate ?? metric.windowGrain
  if (unit === undefined || lengthOfGrain(unit) >= lengthOfGrain(shown) || isFiner(metric, shown)) return undefined
  const does = metric.grainToDate ? 'starts again with each' : 'looks back by'
  return `metric '${metric.name}' ${does} ${nameOfGrain(unit)}, which is finer than ${what}`
}

/** The times of the window of a running value that ends with a range; `grain` is that of the level, if it shows the time. */
export function windowBefore(metric: CumulativeMetric, { grain: shown, weekStart }: LevelPeriods): (range: Range) => Range {
  const grain = isFiner(metric, shown) ? undefined : shown
  const { window, windowGrain, grainToDate, cumulativeType } = metric
  return (range) => {
    const { to } = range
    if (range.from !== undefined && to !== undefined && range.from >= to) return range
    if (to === undefined) return { from: undefined, to }
    const unit = grain ?? windowGrain
    const last = unit && floor(to - 1n, unit, weekStart)
    if (grainToDate) return { from: least(floor(last ?? to - 1n, grainToDate, weekStart), last), to }
    if (window === undefined) return { from: undefined, to }
    if (unit && last !== undefined && (windowGrain === undefined || windowGrain === grain || (!grain && cumulativeType)))
      return { from: shift(last, unit, 1 - window), to }
    const move = { kind: 'by', unit: windowGrain!, count: -window } as const
    if (!grain) return { from: movedRange(range, move, { grain: undefined, weekStart }).to, to }
    const before = floor(movedRange({ from: last, to: undefined }, move, { grain: undefined, weekStart }).from!, grain, weekStart)
    return { from: shift(before, grain, 1), to }
  }
}

const least = (a: Micros, b: Micros | undefined): Micros => (b === undefined || a < b ? a : b)
