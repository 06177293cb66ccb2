import { fail } from '../errors.js'
import { lengthOfGrain, nameOfGrain } from '../model/grain.js'
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
  selected: readonly ResolvedDimension[] = dimensions,
): Modifier & { readonly window: PeriodWindow } {
  const time = timeDimension(metric.name, metric.timeDimension, dimensions, path)
  const { grainToDate } = metric
  const finest = timeDimension(metric.name, metric.timeDimension, selected, path).grain ?? 'day'
  if (grainToDate && lengthOfGrain(grainToDate) < lengthOfGrain(finest)) {
    const [toDate, asked] = [nameOfGrain(grainToDate), nameOfGrain(finest)]
    fail('INVALID_METRIC', `metric '${metric.name}' starts again with each ${toDate}, which is finer than the query's ${asked}`, {
      path,
      hint: `select '${metric.timeDimension}' at ${toDate} or finer`,
    })
  }
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
      toDate: grainToDate,
      apart: [],
    },
    conjunct: (c) => (bounded.has(c) ? bounded.get(c) : c),
  }
}
