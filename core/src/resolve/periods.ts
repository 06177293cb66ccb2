import { fail } from '../errors.js'
import { type Grain, lengthOfGrain, nameOfGrain } from '../model/grain.js'
import type { PeriodMetric, SemanticModel } from '../model/semantic-model.js'
import { bucketType, onClocks } from './bucket.js'
import type { TimeContext } from './clock.js'
import { binary, call } from './expressions.js'
import { startAway, truncated } from './grain-expressions.js'
import type { Modifier } from './modifiers.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import type { Conjunct, ResolvedDimension, Shift, WhereLeaf } from './resolved-query.js'
import { columnsUnder, identityOf, ofSameTime, timeDimension } from './time-dimension.js'

/** The place in a query where a metric over time is selected. */
export interface Along {
  readonly model: SemanticModel
  readonly dimensions: readonly ResolvedDimension[]
  /** The dimensions of the whole query, by which it is checked; not those of each subtotal level. */
  readonly selected: readonly ResolvedDimension[]
  readonly where: readonly Conjunct[]
  readonly path: string
  readonly clocks: TimeContext
  /** Set if it is evaluated at another period than the row's own, along the same time. */
  readonly outer?: (Modifier & { readonly shift: Shift }) | undefined
}

/**
 * The modifier of a metric over another period for its aggregates. Throws `TIME_DIMENSION_NOT_SELECTED`, `TIME_FILTER_NOT_SEPARABLE`,
 * `INVALID_METRIC`.
 */
export function priorPeriod(metric: PeriodMetric, along: Along): Modifier & { readonly shift: Shift } {
  const { dimensions, where, clocks, outer } = along
  const dimension = outer?.shift.dimension ?? timeOf(metric, dimensions, along)
  const period = outer?.shift.period ?? inPeriods(dimension, dimension.grain ?? metric.grain ?? 'day')
  const grain = period.grain!
  const unit = metric.offsetToGrain ?? metric.offsetGrain ?? grain
  const finest = outer?.shift.finest ?? timeOf(metric, along.selected, along).grain ?? metric.grain ?? 'day'
  refuseFiner(metric, finest, along)
  const own = ownPeriod(dimension, outer, clocks)
  const key = metric.offsetToGrain
    ? truncated(grain, truncated(unit, own.value))
    : startAway<RelationColumn>(grain, [unit, metric.offset], own)
  const name = metric.offsetToGrain ? `start of ${nameOfGrain(unit)}` : `${metric.offset} ${nameOfGrain(unit)}`
  const step = metric.offsetToGrain ? { grain: unit, from: -1, to: 0 } : { grain: unit, from: metric.offset, to: metric.offset }
  const past = new Set(outer ? [] : timeConjuncts(metric.name, timeOf(metric, along.selected, along), where))
  return {
    key: outer ? `${outer.key} ${name}` : `period ${name} ${dimension.name}`,
    label: outer ? `${outer.label} ${name}` : name,
    shift: {
      dimension,
      period,
      finest,
      siblingGrains: ofSameTime(dimension, dimensions),
      key,
      steps: [...(outer?.shift.steps ?? []), step],
    },
    window: undefined,
    conjunct: outer ? outer.conjunct : (c) => (past.has(c) ? undefined : c),
  }
}

/** The time that the row shows, or the period at which it is evaluated. */
function ownPeriod({ name, type, grain }: ResolvedDimension, outer: Along['outer'], clocks: TimeContext) {
  if (outer) return { value: outer.shift.key, type: outer.shift.period.type, isStart: true }
  const value = relationColumn('', name, type)
  return grain === undefined
    ? { ...onClocks<RelationColumn>(value, type, clocks), isStart: false }
    : { value, type, isStart: true }
}

/** A metric without a unit uses the periods that a level shows. */
function refuseFiner(metric: PeriodMetric, finest: Grain, { path }: Along): void {
  const unit = metric.offsetToGrain ?? metric.offsetGrain
  if (unit === undefined || lengthOfGrain(unit) >= lengthOfGrain(finest)) return
  const message = `metric '${metric.name}' looks back by ${nameOfGrain(unit)}, which is finer than the query's ${nameOfGrain(finest)}`
  fail('INVALID_METRIC', message, { path })
}

const timeOf = ({ name, timeDimension: time }: PeriodMetric, dimensions: readonly ResolvedDimension[], { path, model }: Along) =>
  timeDimension({ metric: name, name: time, path }, dimensions, model)

/** A time without its own grain, in periods of `grain`. */
export const inPeriods = (time: ResolvedDimension, grain: Grain): ResolvedDimension =>
  time.grain ? time : { ...time, grain, type: bucketType(grain) }

/** Conjuncts that read only the column of the time dimension. A conjunct that combines it with others is refused. */
export function timeConjuncts(metric: string, dimension: ResolvedDimension, where: readonly Conjunct[]): Conjunct[] {
  const columns = columnsUnder(dimension)
  const readsTime = (leaf: WhereLeaf): boolean =>
    leaf.kind === 'where-field' && leaf.members.some((m) => columns.has(identityOf(m)))
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

/** The comparison value; NULL if an operand is NULL, and for a ratio to zero. */
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
