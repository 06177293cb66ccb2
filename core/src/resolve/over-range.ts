/** Metrics over time that are evaluated over a known range: at a level that does not show the time, and in a row whose period the query cuts. */
import { fail } from '../errors.js'
import { entryOf } from '../invariant.js'
import { nameOfGrain } from '../model/grain.js'
import { type CumulativeMetric, componentsOf, type PeriodMetric, type SemanticModel } from '../model/semantic-model.js'
import type { Range, Ranges } from '../time-zones/ranges.js'
import { baseOf } from './base-of.js'
import { bucket, timeLiteral } from './bucket.js'
import { windowBefore } from './cumulative.js'
import { dayOfTable } from './day-of-table.js'
import { binary } from './expressions.js'
import { declaredDimension } from './fields.js'
import { isFieldOutOfReach } from './locate.js'
import type { Modifier } from './modifiers.js'
import type { Move, Span } from './moved-range.js'
import { hasRunning, isRangeable, measuresBelow } from './over-time.js'
import { type Along, moveOf, refuseMixed, timeConjuncts } from './periods.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import { type Conjunct, nameOfDimension, type ResolvedDimension, type Shift } from './resolved-query.js'
import { finest, identityOf, timesNamed } from './time-dimension.js'
import { conjunctsInRange, cutPeriods, knownTimes, partsAreApart, type TimesRead } from './times-read.js'

type OverTime = PeriodMetric | CumulativeMetric
type InRange = Modifier & { readonly times: TimesRead }

/** All times that the query leaves; those of a comparison are moved. */
export function overRange(metric: OverTime, along: Along): InRange {
  const times = timesOfQuery(metric, along)
  const key = `range ${metric.type} ${identityOf(times.time.members[0])}`
  const all = inRange({ key, label: 'range', shift: undefined, window: undefined }, times, {
    without: [],
    times: [],
    isMoved: false,
  })
  return metric.type === 'cumulative' ? all : movedFurther(metric, all)
}

/** Where other periods are read, a running value along another time ends where the end of its times is moved, if their conjuncts are on both. */
function timesOfQuery(metric: OverTime, { model, selected, where, moved, path, clocks, graph }: Along): TimesRead {
  const shown = finest(timesNamed(metric.timeDimension, selected, graph))
  const time = shown ? dayOfTable(shown, model) : declaredDimension(metric.timeDimension, model, path)
  refuseMixed(metric.name, time, where, graph)
  const past = moved && metric.type === 'cumulative' ? timeConjuncts(metric.name, time, moved.past, graph) : []
  const onTime: TimesRead['onTime'] = (seen, base) => [...timeConjuncts(metric.name, time, seen, graph, base), ...past]
  const level = { grain: undefined, weekStart: clocks.weekStart }
  const moves = moved && past.length > 0 ? moved.moves : []
  return { metric: metric.name, path, time, onTime, level, moves, clocks, model, isWhole: false }
}

const inRange = (
  modifier: Pick<Modifier, 'key' | 'label' | 'shift' | 'window'>,
  times: TimesRead,
  ranged: NonNullable<Modifier['ranged']>,
): InRange => ({
  ...modifier,
  shift: undefined,
  window: undefined,
  times,
  ranged,
  conjuncts: (seen, base, isTimed = true) => conjunctsInRange(times, seen, base, isTimed),
})

/** The times of a modifier, moved once more. */
export function movedFurther(metric: PeriodMetric, modifier: Modifier): InRange {
  const times = modifier.times!
  const move = moveOf(metric, times.level.grain)!
  const name = nameOfMove(move)
  const named = { ...modifier, key: `${modifier.key} ${JSON.stringify(move)}`, label: `${modifier.label} ${name}` }
  const { without = [], times: shown = [], at, isShared } = modifier.ranged ?? {}
  return inRange(named, { ...times, moves: [...times.moves, move] }, { without, times: shown, isMoved: true, at, isShared })
}

const nameOfMove = (move: Move): string => {
  if (move.kind === 'to-first') return `start of ${nameOfGrain(move.of)}`
  return move.kind === 'by' ? `${move.count} ${nameOfGrain(move.unit)}` : `${move.count} range`
}

/** The times of a modifier that moves periods, for a row with one period. */
export function atPeriod(modifier: Modifier & { readonly shift: Shift }, period: Span): Modifier {
  const { dimension, siblingGrains } = modifier.shift
  const named = { ...modifier, key: `${modifier.key} at ${period.from}`, label: `${modifier.label} of a part` }
  const at = { shift: modifier.shift, from: period.from, isOwn: isOfPeriod(modifier, period) }
  const times = [dimension, ...siblingGrains]
  return inRange(named, { ...modifier.times!, period }, { without: times, times, isMoved: true, at })
}

/** Whether a row shows the period. */
export function isOfPeriod({ shift, times }: Modifier & { readonly shift: Shift }, period: Span): RowExpr {
  return binary<RelationColumn>('=', shownPeriod(shift, times!), timeLiteral(period.from, shift.period.type))
}

/** The window of a running value that ends with the times of a modifier. */
export function inWindow(metric: CumulativeMetric, modifier: Modifier, dimensions: readonly ResolvedDimension[]): Modifier {
  const times = modifier.times!
  const { partitionBy } = metric
  const left = partitionBy ? dimensions.filter((d) => !partitionBy.includes(nameOfDimension(d))) : []
  const { without = [], times: shown = [] } = modifier.ranged ?? {}
  const isShared = left.some((dimension) => !without.includes(dimension))
  const named = { ...modifier, key: `${modifier.key} running ${metric.name}`, label: `${modifier.label} running` }
  return inRange(
    named,
    { ...times, window: windowBefore(metric, times.level) },
    { without: [...without, ...left], times: shown, isMoved: false, isShared },
  )
}

/** The cut periods whose parts are not known from the periods in which they are moved, or that end a running value. */
export function readApart(
  metric: PeriodMetric,
  model: SemanticModel,
  times: TimesRead,
  where: readonly Conjunct[],
): readonly Span[] {
  if (!hasRunning(componentsOf(metric), model)) return rowsApart(metric, model, times, where)
  return cutPeriods(times, where)
}

/** The cut periods whose parts are not known from the periods in which they are moved, by the metric or by a comparison below it. */
export function rowsApart(
  metric: PeriodMetric,
  model: SemanticModel,
  times: TimesRead,
  where: readonly Conjunct[],
): readonly Span[] {
  const isApart = [times, ...timesBelow(componentsOf(metric), model, times)].every((read) => partsAreApart(read, where))
  return isApart ? [] : cutPeriods(times, where)
}

/** The times of the comparisons below a comparison with these parts, which move its times once more. */
function timesBelow(parts: readonly string[], model: SemanticModel, times: TimesRead): readonly TimesRead[] {
  return parts.flatMap((name): readonly TimesRead[] => {
    const below = model.metrics.get(name)
    if (below?.type === 'derived') return timesBelow(componentsOf(below), model, times)
    const move = below?.type === 'period_over_period' ? moveOf(below, times.level.grain) : undefined
    if (below?.type !== 'period_over_period' || !move) return []
    const moved = { ...times, moves: [...times.moves, move] }
    return [moved, ...[moved, times].flatMap((read) => timesBelow(componentsOf(below), model, read))]
  })
}

/** The period that a row shows. */
export function shownPeriod({ dimension, period }: Shift, { clocks }: TimesRead): RowExpr {
  const shown = relationColumn('', dimension.name, dimension.type)
  return dimension.grain ? shown : bucket<RelationColumn>(shown, dimension.type, period.grain!, clocks)
}

/** Why a metric over time has no value at a level that does not show its time. */
export type Lack =
  | 'TIME_DIMENSION_NOT_SELECTED'
  | 'WINDOW_GRAIN_REQUIRED'
  | 'TIME_RANGE_REQUIRED'
  | 'TIME_FILTER_NOT_A_RANGE'
  // The filters leave times that are not known when the query is compiled, such as a period that a table of days has.
  | 'unknown times'

type Ends = 'both' | 'end' | 'none'

/** `seen` are the conjuncts that a measure sees. The time of another fact than its own is none of its times. */
export function lackOf(metric: OverTime, along: Along, seen: (measure: string) => readonly Conjunct[]): Lack | undefined {
  const { model, graph, path } = along
  if (!isRangeable(metric, model)) return 'TIME_DIMENSION_NOT_SELECTED'
  const read = timesOfQuery(metric, along)
  const ofMeasures = (names: readonly string[], ends: Ends): Lack | undefined => {
    for (const name of names) {
      const base = baseOf(entryOf(model.measures, name), graph, path)
      const isReached = read.time.members.some((member) => !isFieldOutOfReach(base, member, graph))
      const left = knownTimes(read, seen(name), isReached ? base : undefined)
      const lack = left ? ofRanges(left, ends) : 'unknown times'
      if (lack) return lack
    }
    return undefined
  }
  const of = (name: string, isMoved: boolean): Lack | undefined => {
    const one = model.metrics.get(name)
    if (!one) return isMoved ? ofMeasures([name], 'both') : undefined
    switch (one.type) {
      case 'period_over_period':
        return ofPeriod(one, isMoved)
      case 'cumulative':
        return ofRunning(one)
      case 'derived':
        return firstLack(componentsOf(one).map((part) => of(part, isMoved)))
      case 'aggregate':
      case 'conversion':
      case 'funnel':
      // A metric that is evaluated over a range has no window below it.
      case 'window':
        return isMoved ? ofMeasures(measuresBelow(componentsOf(one).slice(0, 1), model), 'both') : undefined
    }
  }
  const ofPeriod = (one: PeriodMetric, isMoved: boolean): Lack | undefined => {
    if (!moveOf(one, undefined)) return 'WINDOW_GRAIN_REQUIRED'
    const parts = componentsOf(one)
    return firstLack([
      ...parts.map((part) => of(part, true)),
      ...parts.map((part) => (one.comparison === 'previousValue' ? undefined : of(part, isMoved))),
    ])
  }
  const ofRunning = ({ measure, window, windowGrain, grainToDate, cumulativeType }: CumulativeMetric): Lack | undefined => {
    if (!windowGrain && (window !== undefined || cumulativeType)) return 'WINDOW_GRAIN_REQUIRED'
    return ofMeasures(measuresBelow([measure], model), window !== undefined || grainToDate ? 'end' : 'none')
  }
  return metric.type === 'cumulative' ? ofRunning(metric) : ofPeriod(metric, false)
}

const firstLack = (lacks: readonly (Lack | undefined)[]): Lack | undefined => lacks.find((lack) => lack !== undefined)

function ofRanges(ranges: Ranges, ends: Ends): Lack | undefined {
  const [range, more] = ranges
  if (!range) return undefined
  if (more) return 'TIME_FILTER_NOT_A_RANGE'
  const { from, to }: Range = range
  return ends === 'none' || (to !== undefined && (ends === 'end' || from !== undefined)) ? undefined : 'TIME_RANGE_REQUIRED'
}

/** Refuses a metric that has no value without its time. */
export function refuseLack(metric: OverTime, lack: Lack, { path }: Along): never {
  const code = lack === 'unknown times' ? 'TIME_FILTER_NOT_A_RANGE' : lack
  return fail(code, reasonOf(metric, lack), { path, hint: adviceOf(metric, lack) })
}

/** The groups without a value: those of a level of the answer, or of an inner query. */
interface Groups {
  readonly dimensions: readonly ResolvedDimension[]
  readonly isInner: boolean
}

export function noValue(metric: OverTime, lack: Lack, { dimensions, isInner }: Groups): string {
  const names = dimensions.map((d) => `'${d.label}'`).join(', ')
  const subtotals = names === '' ? 'the total' : `the subtotals by ${names}`
  return `${reasonOf(metric, lack)}, so it has no value in ${isInner ? `the values by ${names} that another metric aggregates` : subtotals}`
}

function reasonOf({ name, timeDimension, type }: OverTime, lack: Lack): string {
  switch (lack) {
    case 'TIME_DIMENSION_NOT_SELECTED':
      return `metric '${name}' depends on other rows along '${timeDimension}'`
    case 'WINDOW_GRAIN_REQUIRED':
      return `metric '${name}' counts in the periods of '${timeDimension}' that the rows show`
    case 'TIME_RANGE_REQUIRED':
      return type === 'cumulative'
        ? `metric '${name}' needs an end of the times of '${timeDimension}'`
        : `metric '${name}' compares the times of '${timeDimension}' that the filters leave, which need a first and a last one`
    case 'TIME_FILTER_NOT_A_RANGE':
      return `metric '${name}' needs one range of '${timeDimension}', and the filters leave several`
    case 'unknown times':
      return `metric '${name}' needs the first and the last time of '${timeDimension}', and a filter does not give them as dates: the database alone knows which days it leaves`
  }
}

function adviceOf(metric: OverTime, lack: Lack): string {
  const total = adviceForTotal(metric, lack)
  const grain = lack === 'TIME_FILTER_NOT_A_RANGE' ? 'a finer grain' : 'a grain'
  const counted = metric.type === 'period_over_period' ? metric.offsetPeriods : undefined
  const selected = counted ? `select '${counted.column}'` : `select '${metric.timeDimension}' at ${grain}`
  return total === undefined ? selected : `${selected}, or ${total}`
}

/** What gives the metric a value where its time is not shown; `undefined` if nothing does. */
export function adviceForTotal(metric: OverTime, lack: Lack): string | undefined {
  const { timeDimension, type } = metric
  switch (lack) {
    case 'TIME_DIMENSION_NOT_SELECTED':
      return undefined
    case 'WINDOW_GRAIN_REQUIRED':
      if (metric.type === 'period_over_period' && metric.offsetPeriods) return undefined
      return `give the metric ${type === 'cumulative' ? 'a windowGrain' : 'an offsetGrain'}`
    case 'TIME_RANGE_REQUIRED':
      return `filter '${timeDimension}' with between`
    case 'TIME_FILTER_NOT_A_RANGE':
      return `filter '${timeDimension}' with one between`
    case 'unknown times':
      return `filter '${timeDimension}' with between in place of that filter`
  }
}
