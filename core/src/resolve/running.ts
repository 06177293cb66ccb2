import type { CumulativeMetric } from '../model/semantic-model.js'
import { bucket } from './bucket.js'
import type { Modifier } from './modifiers.js'
import { inPeriods, ofSameTime, timeConjuncts } from './periods.js'
import { type RelationColumn, relationColumn } from './relation-column.js'
import { type Conjunct, nameOfDimension, type PeriodWindow, type ResolvedDimension } from './resolved-query.js'
import { upperBound } from './time-bound.js'
import type { TimeContext } from './time-context.js'
import { timeDimension } from './windows.js'

/** What a cumulative metric pushes to its atoms: its window, and time conjuncts without their lower ends. */
export function runningWindow(
  metric: CumulativeMetric,
  dimensions: readonly ResolvedDimension[],
  where: readonly Conjunct[],
  path: string,
  clocks: TimeContext,
): Modifier & { readonly window: PeriodWindow } {
  const time = timeDimension(metric.name, metric.timeDimension, dimensions, path)
  const others = dimensions.filter((d) => d !== time)
  const shown = relationColumn('', time.name, time.type)
  const { partitionBy } = metric
  const along = ofSameTime(time, dimensions)
  const partition = others.filter((d) => (partitionBy ? partitionBy.includes(nameOfDimension(d)) : !along.includes(d)))
  const bounded = new Map(timeConjuncts(metric.name, time, where).map((c) => [c, upperBound(c, clocks)]))
  return {
    key: `running ${metric.name}`,
    label: 'running',
    shift: undefined,
    window: {
      time,
      period: inPeriods(time, 'day'),
      own: time.grain ? shown : bucket<RelationColumn>(shown, time.type, 'day', clocks),
      partition,
      grain: time.grain ?? 'day',
      periods: metric.window,
      toDate: metric.grainToDate,
      apart: [],
    },
    conjunct: (c) => (bounded.has(c) ? bounded.get(c) : c),
  }
}
