/** Comparisons and running values whose times end at the clock, as if the query had one more filter on their time (`untilNow`). */
import type { Grain } from '../model/grain.js'
import {
  type CumulativeMetric,
  componentsOf,
  type Metric,
  type PeriodMetric,
  type SemanticModel,
} from '../model/semantic-model.js'
import { bucket, bucketType, timeLiteral } from './bucket.js'
import type { TimeContext } from './clock.js'
import { binary } from './expressions.js'
import { declaredDimension } from './fields.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import type { ResolvedDimension } from './resolved-query.js'
import { withConditions } from './row-conditions.js'
import type { RowSetContext } from './row-set-context.js'
import { floor, isSubDay, type Micros, shift } from './time.js'
import { columnsUnder, finest, timesNamed } from './time-dimension.js'
import { upTo } from './up-to.js'

const known = new WeakMap<Metric, readonly string[]>()

/** The names of the times of a metric, and of those below it that are evaluated with it, which end at the clock. */
function timesUntilNow(metric: Metric, model: SemanticModel): readonly string[] {
  if (metric.type !== 'period_over_period' && metric.type !== 'cumulative') return []
  const found = known.get(metric) ?? timesBelow(metric, model)
  known.set(metric, found)
  return found
}

function timesBelow(metric: Metric, model: SemanticModel): readonly string[] {
  const found = new Set<string>()
  const ahead = new Set<Metric>([metric])
  // The set grows while it is read.
  for (const one of ahead) {
    if (one.type !== 'period_over_period' && one.type !== 'cumulative' && one.type !== 'derived') continue
    if (one.type !== 'derived' && one.untilNow) found.add(one.timeDimension)
    for (const name of componentsOf(one)) {
      const below = model.metrics.get(name)
      if (below) ahead.add(below)
    }
  }
  return [...found]
}

/** The context in which a metric is evaluated with these times; `undefined` if they end at the clock already. */
function untilNow(metric: Metric, context: RowSetContext, path: string): RowSetContext | undefined {
  const { graph, where, conditions, columnName, inner, readClock } = context
  const cut = context.untilNow ?? []
  const times = timesUntilNow(metric, graph.model)
    .map((name) => ({ name, time: timeOf(name, context, path) }))
    .filter(({ time }) => !cut.includes(identity(time)))
  if (times.length === 0) return undefined
  for (const { time } of times) readClock(unitOf(time))
  const ends = times.map(({ name, time }) => {
    // A condition on the time of the metric, by whichever dimension on its column the rows show it.
    const named = time.members.length === 1 ? name : undefined
    return upTo(endOfNow(time, inner.time), time, inner.time, path, named)
  })
  return {
    ...context,
    where: [...where, ...ends],
    conditions: withConditions(conditions, ends),
    untilNow: [...cut, ...times.map(({ time }) => identity(time))],
    columnName: (key, name) => columnName(`until now ${key}`, `${name} (until now)`),
  }
}

/** The rows in which metrics are evaluated whose times end at the clock, by these times. */
export class UntilNow<Rows> {
  readonly #rows = new Map<string, Rows>()

  constructor(
    private readonly context: RowSetContext,
    private readonly rowsIn: (context: RowSetContext) => Rows,
  ) {}

  get all(): Rows[] {
    return [...this.#rows.values()]
  }

  /** `undefined` if a metric is evaluated in the rows of the context. */
  rowsOf(metric: Metric, path: string): Rows | undefined {
    const context = untilNow(metric, this.context, path)
    if (!context) return undefined
    const key = context.untilNow!.join('|')
    const rows = this.#rows.get(key) ?? this.rowsIn(context)
    this.#rows.set(key, rows)
    return rows
  }
}

/** Whether the time of a metric ends at the clock in this context. */
export const endsNow = ({ timeDimension }: PeriodMetric | CumulativeMetric, context: RowSetContext, path: string): boolean =>
  (context.untilNow ?? []).includes(identity(timeOf(timeDimension, context, path)))

/** Whether the period of a row begins no later than the present; `undefined` if the level does not show the time. */
export function hasBegun(metric: PeriodMetric | CumulativeMetric, context: RowSetContext): RowExpr | undefined {
  const { graph, dimensions, inner } = context
  const time = finest(timesNamed(metric.timeDimension, dimensions, graph))
  if (!time) return undefined
  const grain = time.grain ?? (metric.type === 'period_over_period' ? metric.grain : undefined) ?? 'day'
  const shown = relationColumn('', time.name, time.type)
  const start = time.grain ? shown : bucket<RelationColumn>(shown, time.type, grain, inner.time)
  const end = endOfNow(time, inner.time)
  if (isSubDay(grain)) return binary('<', start, timeLiteral(end, bucketType(grain)))
  return binary('<=', start, timeLiteral(floor(end - 1n, 'day', inner.time.weekStart), bucketType(grain)))
}

function timeOf(name: string, { graph, dimensions, absent, outerDimensions }: RowSetContext, path: string): ResolvedDimension {
  const selected = [...dimensions, ...absent, ...outerDimensions]
  return finest(timesNamed(name, selected, graph)) ?? declaredDimension(name, graph.model, path)
}

const identity = (time: ResolvedDimension): string => [...columnsUnder(time)].join()

/** A date ends with today, and an instant with the present second. */
const unitOf = ({ members: [{ type }] }: ResolvedDimension): Grain => (type.kind === 'date' ? 'day' : 'second')

function endOfNow(time: ResolvedDimension, { clock, weekStart }: TimeContext): Micros {
  const unit = unitOf(time)
  return shift(floor(clock.wall, unit, weekStart), unit, 1)
}
