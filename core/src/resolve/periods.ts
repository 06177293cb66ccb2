import { fail } from '../errors.js'
import { type Grain, lengthOfGrain, nameOfGrain } from '../model/grain.js'
import type { CumulativeMetric, PeriodMetric, SemanticModel } from '../model/semantic-model.js'
import { bucketType, onClocks } from './bucket.js'
import type { TimeContext } from './clock.js'
import { type DaysOf, daysOf, isSameTime } from './days-of.js'
import { binary, call } from './expressions.js'
import { finerFault, finerMoves } from './finer-offset.js'
import { startAway, startBefore, truncated } from './grain-expressions.js'
import type { JoinGraph } from './join-graph.js'
import type { Modifier } from './modifiers.js'
import { isSpan, type Move } from './moved-range.js'
import { namesPeriod, refuseSeveralPeriods } from './named-periods.js'
import { inNumbersOf, inPlaces, otherPeriods, refuseOtherUnits } from './other-units.js'
import { isRangeable } from './over-time.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import type { Conjunct, FieldSource, FinerMove, ReachedLeaf, ResolvedDimension, Shift } from './resolved-query.js'
import type { RowSetContext } from './row-set-context.js'
import { MICROS_PER_DAY } from './time.js'
import { decidedBy, identityOf, timeDimension, timesNamed } from './time-dimension.js'
import { conjunctsAtPeriods, knownTimes, type TimesRead, withoutTimes } from './times-read.js'

/** The place in a query where a metric over time is selected. */
export interface Along {
  readonly model: SemanticModel
  readonly graph: JoinGraph
  readonly dimensions: readonly ResolvedDimension[]
  /** The dimensions of the whole query, by which it is checked; not those of each subtotal level. */
  readonly selected: readonly ResolvedDimension[]
  readonly where: readonly Conjunct[]
  readonly path: string
  readonly clocks: TimeContext
  readonly moved: RowSetContext['moved']
  /** Set if it is evaluated at another period than the row's own, along the same time. */
  readonly outer?: (Modifier & { readonly shift: Shift }) | undefined
}

/**
 * The modifier of a metric over another period for its aggregates. Throws `TIME_DIMENSION_NOT_SELECTED`, `TIME_FILTER_NOT_SEPARABLE`,
 * `INVALID_METRIC`.
 */
export function priorPeriod(written: PeriodMetric, along: Along): Modifier & { readonly shift: Shift } {
  const { dimensions, clocks, outer } = along
  const counted = written.byRange ? byLengthOfRange(written, along) : written
  const dimension = outer ? inNumbersOf(counted, outer.shift.dimension, [], along) : timeOf(counted, dimensions, along)
  const metric = inPlaces(counted, dimension)
  const period = outer?.shift.period ?? inPeriods(dimension, dimension.grain ?? metric.grain ?? 'day')
  const grain = period.grain!
  const unit = metric.offsetToGrain ?? metric.offsetGrain ?? grain
  const finest = outer?.shift.finest ?? finestIn(metric, along)
  refuseFinerStart(metric, finest, along)
  const own = ownPeriod(dimension, outer, clocks)
  const movedBy = finerMoves(metric, grain, period.movedBy)
  const key = movedBy ? startBefore<RelationColumn>(grain, [], own) : movedKey(metric, grain, own)
  const name = metric.offsetToGrain ? `start of ${nameOfGrain(unit)}` : `${metric.offset} ${nameOfGrain(unit)}`
  const step = metric.offsetToGrain ? { grain: unit, from: -1, to: 0 } : { grain: unit, from: metric.offset, to: metric.offset }
  const times = timesAt(metric, along, { dimension, grain })
  const isMoved = isRangeable(metric, along.model)
  const readsWhole = times.isWhole || !isMoved
  return {
    key: outer ? `${outer.key} ${name}` : `period ${name} ${dimension.name}${readsWhole ? ' whole' : ''}`,
    label: outer ? `${outer.label} ${name}` : name,
    shift: {
      dimension,
      period: movedBy ? { ...period, name: `${dimension.name} ${movedBy.map(nameOfMove).join(' ')}`, movedBy } : period,
      finest,
      siblingGrains: decidedBy(dimension, dimensions, along.graph),
      key,
      steps: [...(outer?.shift.steps ?? []), step],
      apart: outer?.shift.apart,
    },
    window: undefined,
    times,
    conjuncts: (seen, base, isTimed = true) =>
      isMoved ? conjunctsAtPeriods(times, seen, base, isTimed) : withoutTimes(times, seen, base),
  }
}

/** The previous period in days of the query, or in seconds if its times begin or end within a day. */
function byLengthOfRange(metric: PeriodMetric, along: Along): PeriodMetric {
  const { name } = metric
  const { where, clocks, path, graph, model } = along
  const time = timeOf(metric, along.selected, along)
  const onTime: TimesRead['onTime'] = (seen) => timeConjuncts(name, time, seen, graph)
  const [range, more] = knownTimes({ onTime, clocks, model, time }, where) ?? []
  const hint = `filter '${metric.timeDimension}' with between`
  if (range && more)
    fail('TIME_FILTER_NOT_A_RANGE', `metric '${name}' needs one range of '${metric.timeDimension}'`, { path, hint })
  if (!range || !isSpan(range))
    return fail('TIME_RANGE_REQUIRED', `metric '${name}' moves by the length of the times that the filters leave`, { path, hint })
  const isOfDays = range.from % MICROS_PER_DAY === 0n && range.to % MICROS_PER_DAY === 0n
  const length = (range.to - range.from) / (isOfDays ? MICROS_PER_DAY : 1_000_000n)
  const grain = time.grain ?? metric.grain ?? 'day'
  if (lengthOfGrain(grain) > lengthOfGrain(isOfDays ? 'day' : 'second')) {
    const message = `metric '${name}' moves by the length of the times that the filters leave, and the rows show each ${nameOfGrain(grain)}`
    fail('INVALID_METRIC', message, { path, hint: `select '${metric.timeDimension}' by day or finer, or not at all` })
  }
  return { ...metric, byRange: false, offsetGrain: isOfDays ? 'day' : 'second', offset: metric.offset * Number(length) }
}

/** The times that a comparison reads: those of the row, or at which it is evaluated, moved. */
function timesAt(
  metric: PeriodMetric,
  along: Along,
  row: { readonly dimension: ResolvedDimension; readonly grain: Grain },
): TimesRead {
  const { outer, where, clocks, path, graph, model } = along
  const move = moveOf(metric, row.grain)!
  if (outer?.times) return { ...outer.times, moves: [...outer.times.moves, move] }
  const judged = timeOf(metric, along.selected, along)
  refuseMixed(metric.name, judged, where, graph)
  return {
    metric: metric.name,
    path,
    time: row.dimension,
    onTime: (seen, base) => timeConjuncts(metric.name, judged, seen, graph, base),
    level: { grain: row.grain, weekStart: clocks.weekStart },
    moves: [move],
    clocks,
    model,
    isWhole: metric.compare === 'whole',
  }
}

/** How a comparison moves a range; `undefined` if it counts in the periods of a level that does not show the time. */
export function moveOf(
  { offset, offsetGrain, offsetToGrain, byRange }: PeriodMetric,
  grain: Grain | undefined,
): Move | undefined {
  if (offsetToGrain) return grain && { kind: 'to-first', of: offsetToGrain }
  if (byRange) return { kind: 'lengths', count: offset }
  const unit = offsetGrain ?? grain
  return unit && { kind: 'by', unit, count: offset }
}

/** The start of the period with which the row's own one is compared. */
const movedKey = (
  { offset, offsetGrain, offsetToGrain }: PeriodMetric,
  grain: Grain,
  own: ReturnType<typeof ownPeriod>,
): RowExpr =>
  offsetToGrain
    ? truncated(grain, truncated(offsetToGrain, own.value))
    : startAway<RelationColumn>(grain, [offsetGrain ?? grain, offset], own)

const nameOfMove = ({ unit, count }: FinerMove): string => `${count} ${nameOfGrain(unit)}`

/** The time that the row shows, or the period at which it is evaluated. */
function ownPeriod({ name, type, grain }: ResolvedDimension, outer: Along['outer'], clocks: TimeContext) {
  if (outer) return { value: outer.shift.key, type: outer.shift.period.type, isStart: true }
  const value = relationColumn('', name, type)
  return grain === undefined
    ? { ...onClocks<RelationColumn>(value, type, clocks), isStart: false }
    : { value, type, isStart: true }
}

function refuseFinerStart({ name, offsetToGrain: unit }: PeriodMetric, finest: Grain, { path }: Along): void {
  if (unit === undefined || lengthOfGrain(unit) >= lengthOfGrain(finest)) return
  const message = `metric '${name}' looks back to the first ${nameOfGrain(finest)} of the ${nameOfGrain(unit)}, which is finer`
  fail('INVALID_METRIC', message, { path })
}

/** The grain of the time in the whole query. */
const finestIn = (metric: PeriodMetric, along: Along): Grain =>
  timeOf(metric, along.selected, along).grain ?? metric.grain ?? 'day'

/**
 * Why a comparison has no value at a level, because an offset is finer than its periods and cannot be undone. It is refused if that holds for
 * the whole query.
 */
export function lackOfFiner(metric: PeriodMetric, along: Along): string | undefined {
  const { model, dimensions, path } = along
  const { grain = metric.grain ?? 'day', members } = timeOf(metric, dimensions, along)
  const time = members[0].type
  const whole = finerFault(metric, { grain: finestIn(metric, along), time, model })
  if (whole !== undefined) fail('INVALID_METRIC', whole, { path, hint: `select '${metric.timeDimension}' at a finer grain` })
  return finerFault(metric, { grain, time, model })
}

/** Why a comparison that counts periods of a table has no value at a level of longer ones. It is refused if the whole query shows others. */
export function lackOfPeriods(metric: PeriodMetric, { model, graph, dimensions, selected, path }: Along): string | undefined {
  const time = timeDimension({ metric: metric.name, name: metric.timeDimension, path }, dimensions, graph)
  const lack = otherPeriods(metric, time, model)
  const isShown = timesNamed(metric.timeDimension, selected, graph).some((one) => !otherPeriods(metric, one, model))
  return isShown ? lack?.reason : undefined
}

/** The time of a metric that the query selects, in periods in which the metric can count. */
export function timeOf(
  metric: PeriodMetric | CumulativeMetric,
  dimensions: readonly ResolvedDimension[],
  { path, graph, model }: Along,
): ResolvedDimension {
  const time = timeDimension({ metric: metric.name, name: metric.timeDimension, path }, dimensions, graph)
  refuseOtherUnits(metric, time, path, model)
  return inNumbersOf(metric, time, dimensions, { path, model })
}

/** A time without its own grain, in periods of `grain`. */
export const inPeriods = (time: ResolvedDimension, grain: Grain): ResolvedDimension =>
  time.grain ? time : { ...time, grain, type: bucketType(grain) }

/** Refuses a conjunct that combines time with other fields, and periods of a calendar that are not one range. */
export function refuseMixed(metric: string, dimension: ResolvedDimension, where: readonly Conjunct[], graph: JoinGraph): void {
  const on = timeConjuncts(metric, dimension, where, graph)
  refuseSeveralPeriods(
    `metric '${metric}'`,
    on.filter((c) => namesPeriod(c, graph.model)),
    graph.model,
  )
}

/**
 * Conjuncts that read only the time of the dimension: its column, or what the calendar of that column says of the same days. A conjunct that
 * combines it with others is refused. Which column of a fact is the time depends on the base.
 */
export function timeConjuncts(
  metric: string,
  time: ResolvedDimension,
  where: readonly Conjunct[],
  graph: JoinGraph,
  base?: string,
): Conjunct[] {
  const reads = timeReader(time, graph, base)
  return where.filter((conjunct) => {
    if (!conjunct.leaves.some(reads)) return false
    if (conjunct.leaves.every(reads)) return true
    const fields = conjunct.fields.map((f) => `'${f}'`).join(', ')
    return fail(
      'TIME_FILTER_NOT_SEPARABLE',
      `the filter on ${fields} mixes time with other fields, so metric '${metric}' cannot look past it`,
      {
        path: conjunct.path,
        hint: 'if both conditions must hold, write each as a separate filter; if one is enough, put the condition into the filters of the measure',
      },
    )
  })
}

/** The conjuncts that read only the time of the dimension, as seen from `base`; one that combines it with others is none of them. */
export const conjunctsOnTime = (
  time: ResolvedDimension,
  where: readonly Conjunct[],
  graph: JoinGraph,
  base?: string,
): readonly Conjunct[] => {
  const reads = timeReader(time, graph, base)
  return where.filter(({ leaves }) => leaves.length > 0 && leaves.every(reads))
}

function timeReader({ members }: ResolvedDimension, graph: JoinGraph, base?: string): (leaf: ReachedLeaf) => boolean {
  const own = new Set(members.map(identityOf))
  const days = members.flatMap((m) => daysOf(m, graph.model))
  const saysDays = (source: FieldSource): boolean =>
    days.length > 0 &&
    daysOf(source, graph.model).some(
      (said) =>
        said.says !== 'attribute' && days.some((day) => isSameTime(day, said, graph, isOfOwnDays(said, base) ? undefined : base)),
    )
  return (leaf) => leaf.kind === 'where-field' && leaf.members.some((m) => own.has(identityOf(m)) || saysDays(m))
}

/** Whether a condition is on the days that are the rows of the base: it is on the time of each fact that joins them, too. */
const isOfOwnDays = ({ calendar, joinedBy }: DaysOf, base: string | undefined): boolean => calendar === base && !joinedBy

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
