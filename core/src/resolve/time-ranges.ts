/** The times that metrics over time read at a level: R, and the times with which they are compared. */
import { componentsOf, type Metric, type PeriodMetric, type SemanticModel } from '../model/semantic-model.js'
import { intersection, type Range, type Ranges } from '../time-zones/ranges.js'
import { baseOf } from './base-of.js'
import type { TimeContext } from './clock.js'
import { dayOfTable } from './day-of-table.js'
import { declaredDimension } from './fields.js'
import type { JoinGraph } from './join-graph.js'
import { knownLeft } from './known-left.js'
import { find } from './lookup.js'
import { isSpan, movedRange, periodAt } from './moved-range.js'
import { isRangeable } from './over-time.js'
import { conjunctsOnTime, moveOf } from './periods.js'
import type { ResolvedDimension, ResolvedQuery, TimeRange, TimeRangeText } from './resolved-query.js'
import type { MeasureSeen } from './row-set.js'
import { dateText, MICROS_PER_DAY, type Micros, timestampText } from './time.js'
import { finest, timesNamed } from './time-dimension.js'

interface Level {
  readonly graph: JoinGraph
  readonly clocks: TimeContext
  readonly dimensions: readonly ResolvedDimension[]
  /** Selected dimensions that the level does not show. */
  readonly absent: readonly ResolvedDimension[]
  readonly measuresSeen: (names: readonly string[]) => readonly MeasureSeen[]
}

/** One for each selected metric over time, and several if its measures see different times. Times that only the database knows are left out. */
export function timeRangesOf(names: readonly string[], level: Level): readonly TimeRange[] {
  return [...overTimeBelow(names, level.graph.model)].flatMap((metric) => rangesOfMetric(metric, level))
}

/** Those of the whole query, level by level. */
export function timeRangesIn(query: ResolvedQuery): readonly TimeRange[] {
  const levels = query.kind === 'grouped' ? query.levels : query.kind === 'aggregate' ? [query] : []
  return levels.flatMap(({ timeRanges = [] }) => timeRanges)
}

type OverTime = Extract<Metric, { type: 'period_over_period' | 'cumulative' }>

/** The selected metrics over time, and those below formulas and windows. */
function overTimeBelow(names: readonly string[], { metrics }: SemanticModel): ReadonlySet<OverTime> {
  const found = new Set<OverTime>()
  const ahead = new Set(names)
  // The set grows while it is read.
  for (const name of ahead) {
    const metric = find(name, metrics)
    if (metric?.type === 'period_over_period' || metric?.type === 'cumulative') found.add(metric)
    if (metric?.type === 'derived' || metric?.type === 'window') for (const below of componentsOf(metric)) ahead.add(below)
  }
  return found
}

function rangesOfMetric(metric: OverTime, { graph, clocks, dimensions, absent, measuresSeen }: Level): readonly TimeRange[] {
  const { model } = graph
  const shown = finest(timesNamed(metric.timeDimension, dimensions, graph))
  const time =
    shown ??
    dayOf(finest(timesNamed(metric.timeDimension, absent, graph)), model) ??
    declaredDimension(metric.timeDimension, model, '')
  const level = dimensions.map(({ label }) => label)
  const found = measuresSeen([metric.name]).flatMap(({ measure, where }): readonly TimeRange[] => {
    const onTime = conjunctsOnTime(time, where, graph, baseOf(measure, graph, ''))
    const left = knownLeft(onTime, { time, clocks, model })
    if (!left || left.length === 0) return []
    const compared =
      metric.type === 'period_over_period' && comparedRange(metric, { time, isShown: !!shown, left, model, clocks })
    const own = rangeText({ from: left[0]!.from, to: left.at(-1)!.to })
    const of = { metric: metric.name, time: metric.timeDimension, level, ...own }
    return [compared ? { ...of, compared: rangeText(compared) } : of]
  })
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()]
}

const dayOf = (time: ResolvedDimension | undefined, model: SemanticModel): ResolvedDimension | undefined =>
  time && dayOfTable(time, model)

export interface Compared {
  readonly time: ResolvedDimension
  /** Whether the rows show the time. */
  readonly isShown: boolean
  /** The times that the query leaves. */
  readonly left: Ranges
  readonly model: SemanticModel
  readonly clocks: TimeContext
}

/** From the start of the first range moved to the end of the last one moved; an open end stays open. */
export function comparedRange(metric: PeriodMetric, { time, isShown, left, model, clocks }: Compared): Range | undefined {
  const { weekStart } = clocks
  const grain = isShown ? (time.grain ?? metric.grain ?? 'day') : undefined
  const move = moveOf(metric, grain)
  const all: Range = { from: left[0]?.from, to: left.at(-1)?.to }
  if (!move || left.length === 0) return undefined
  if (move.kind === 'lengths') return isSpan(all) ? movedRange(all, move, { grain: undefined, weekStart }) : undefined
  const isWhole = metric.compare === 'whole' || !isRangeable(metric, model)
  const partAt = (at: Micros, end: 0 | -1): Range | undefined => {
    const parts = !grain
      ? left
      : isWhole
        ? [periodAt(at, grain, weekStart)]
        : intersection(left, [periodAt(at, grain, weekStart)])
    const part = parts.at(end)
    return part && movedRange(part, move, { grain, weekStart })
  }
  return {
    from: all.from === undefined ? undefined : partAt(all.from, 0)?.from,
    to: all.to === undefined ? undefined : partAt(all.to - 1n, -1)?.to,
  }
}

export const rangeText = ({ from, to }: Range): TimeRangeText => ({
  from: from === undefined ? null : startText(from),
  to: to === undefined ? null : lastText(to),
})

const startText = (at: Micros): string => (at % MICROS_PER_DAY === 0n ? dateText(at) : timestampText(at))
const lastText = (to: Micros): string => (to % MICROS_PER_DAY === 0n ? dateText(to - MICROS_PER_DAY) : timestampText(to))
