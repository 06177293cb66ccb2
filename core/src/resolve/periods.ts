import { fail } from '../errors.js'
import { type Grain, lengthOfGrain, nameOfGrain } from '../model/grain.js'
import type { PeriodMetric } from '../model/semantic-model.js'
import { bucketType, onClocks } from './bucket.js'
import { binary, call } from './expressions.js'
import { startAway } from './grain-expressions.js'
import type { Modifier } from './modifiers.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import type { Conjunct, FieldSource, ResolvedDimension, Shift, WhereLeaf } from './resolved-query.js'
import type { TimeContext } from './time-context.js'
import { timeDimension } from './windows.js'

/** What a metric over another period pushes to its atoms. Throws `TIME_DIMENSION_NOT_SELECTED`, `TIME_FILTER_NOT_SEPARABLE`, `INVALID_METRIC`. */
export function priorPeriod(
  metric: PeriodMetric,
  dimensions: readonly ResolvedDimension[],
  where: readonly Conjunct[],
  path: string,
  clocks: TimeContext,
  selected: readonly ResolvedDimension[] = dimensions,
): Modifier & { readonly shift: Shift } {
  const dimension = timeDimension(metric.name, metric.timeDimension, dimensions, path)
  const grain = dimension.grain ?? metric.grain ?? 'day'
  const offsetGrain = metric.offsetGrain ?? grain
  // Of subtotals, the whole question is judged, not each level.
  const finest = timeDimension(metric.name, metric.timeDimension, selected, path).grain ?? metric.grain ?? 'day'
  const unit = nameOfGrain(offsetGrain)
  if (lengthOfGrain(offsetGrain) < lengthOfGrain(finest)) {
    const message = `metric '${metric.name}' looks back by ${unit}, which is finer than the query's ${nameOfGrain(finest)}`
    fail('INVALID_METRIC', message, { path })
  }
  const isStart = dimension.grain !== undefined
  const shown = { value: relationColumn('', dimension.name, dimension.type), type: dimension.type }
  const own = isStart ? shown : onClocks<RelationColumn>(shown.value, shown.type, clocks)
  const key = startAway<RelationColumn>(grain, [offsetGrain, metric.offset], { ...own, isStart })
  const past = new Set(timeConjuncts(metric.name, dimension, where))
  return {
    key: `period ${metric.offset} ${unit} ${dimension.name}`,
    label: `${metric.offset} ${unit}`,
    shift: {
      dimension,
      period: inPeriods(dimension, grain),
      along: ofSameTime(dimension, dimensions),
      key,
      offset: metric.offset,
      offsetGrain,
    },
    window: undefined,
    conjunct: (c) => (past.has(c) ? undefined : c),
  }
}

/** Other dimensions of the same time, such as its quarter beside its month: they go with the period, and never hold it back. */
export function ofSameTime(time: ResolvedDimension, dimensions: readonly ResolvedDimension[]): readonly ResolvedDimension[] {
  const columns = new Set(time.members.map(identity))
  return dimensions.filter((d) => d !== time && d.members.every((m) => columns.has(identity(m))))
}

/** A time without a grain of its own, in periods of `grain`. */
export const inPeriods = (time: ResolvedDimension, grain: Grain): ResolvedDimension =>
  time.grain ? time : { ...time, grain, type: bucketType(grain) }

/** Conjuncts that read only the column under the time dimension. One that mixes it with others is refused. */
export function timeConjuncts(metric: string, dimension: ResolvedDimension, where: readonly Conjunct[]): Conjunct[] {
  const columns = new Set(dimension.members.map(identity))
  const readsTime = (leaf: WhereLeaf): boolean =>
    leaf.kind === 'where-field' && leaf.members.some((m) => columns.has(identity(m)))
  return where.filter((conjunct) => {
    if (!conjunct.leaves.some(readsTime)) return false
    if (conjunct.leaves.every(readsTime)) return true
    const fields = conjunct.fields.map((f) => `'${f}'`).join(', ')
    return fail(
      'TIME_FILTER_NOT_SEPARABLE',
      `the filter on ${fields} mixes time with other fields, so metric '${metric}' cannot look past it; split it into separate filters`,
      {
        path: conjunct.path,
      },
    )
  })
}

const identity = ({ object, via, expression }: FieldSource): string =>
  JSON.stringify([object, via, expression], (_, v) => (typeof v === 'bigint' ? String(v) : v))

/** The comparison that is shown; NULL where an operand is NULL, and for a ratio to zero. */
export function compared({ comparison }: PeriodMetric, current: RowExpr, prior: RowExpr): RowExpr {
  switch (comparison) {
    case 'previousValue':
      return prior
    case 'difference':
      return binary('-', current, prior)
    case 'ratio':
      return binary('/', current, prior)
    case 'percentChange':
      return binary('/', binary('-', current, prior), call('abs', prior))
  }
}
