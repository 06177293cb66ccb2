import { fail } from '../errors.js'
import { firstOf } from '../invariant.js'
import { sameClock } from '../model/data-type.js'
import type { FunnelMetric, Measure } from '../model/semantic-model.js'
import { eventsOf, named, unbucketed } from './conversions.js'
import type { Conversion, ResolvedAggregate, ResolvedDimension } from './resolved-query.js'
import type { RowSetContext } from './row-set-context.js'
import { isSubDay } from './time.js'

/** A funnel with the measures whose rows are the events of its steps. */
interface FunnelParts {
  readonly metric: FunnelMetric
  readonly measures: readonly Measure[]
  /** The number of steps that an entity must take. */
  readonly step: number
}

/** The first events, and those of the further steps in their order. Throws `NO_JOIN_PATH`, `INVALID_METRIC`. */
export function funnelOf({ metric, measures, step }: FunnelParts, context: RowSetContext, path: string): Conversion {
  const entity = named('entity', metric.entity, context, path)
  const events = metric.steps.map(({ timeDimension }, i): ResolvedAggregate => {
    const time = unbucketed(`step ${i + 1} time`, timeDimension, context, path)
    return eventsOf(measures[i]!, [entity, time], context, path)
  })
  checkTimes(metric, events, path)
  const [base, ...later] = events
  return { base: base!, later: later.slice(0, step - 1), inOrder: true, ...metric.window }
}

function checkTimes({ name, window }: FunnelMetric, events: readonly ResolvedAggregate[], path: string): void {
  const times = events.map(({ dimensions }) => dimensions[1]!)
  const first = firstOf(times)
  const other = times.find((time) => !sameClock(first.type, time.type))
  if (other) {
    const message = `the times of metric '${name}' are of different types: '${first.label}' is ${first.type.kind}, '${other.label}' is ${other.type.kind}`
    fail('INVALID_METRIC', message, { path })
  }
  if (first.type.kind === 'date' && isSubDay(window.unit))
    fail('INVALID_METRIC', `the window of metric '${name}' is finer than a day, and '${first.label}' is a date`, { path })
}

/** The entities of the first events instead of these events: each once in a group. */
export function entitiesOf({ base }: Conversion, measure: Measure): Measure {
  const [entity] = base.dimensions as readonly [ResolvedDimension, ResolvedDimension]
  return {
    ...measure,
    aggregation: 'count_distinct',
    inputs: [entity.members[0].expression],
    rowCountOf: undefined,
    anchor: base.base,
    distinct: true,
  }
}
