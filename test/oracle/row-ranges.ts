/** R: the times that the conjuncts on a time leave, as ranges of local times. */

import { addPeriods, dayAfter, parseDay, parseMoment, startOfDay, truncate } from './calendar.js'
import { calendarOf, daysLeft, isOfGenerated } from './calendar-tables.js'
import { atomNamed, atomNames, rowMetricOf } from './components.js'
import { group } from './conditions.js'
import { type Asked, askedDimension, filterField } from './fields.js'
import { sees } from './filter-context.js'
import { type Block, blockOf, isShown, type Level, levelOf } from './levels.js'
import type { FilterJson, Json, LeafJson } from './model.js'
import { moveRange, periodRange, type Range } from './moved-range.js'
import { type Now, testOfFilter } from './operators.js'
import { timeNamed } from './periods.js'
import { Refusal } from './refusal.js'
import { isOfTable } from './table-grains.js'
import { conditionFor, isNamed, readingOf, readsDaysOfPeriods } from './time-conjuncts.js'
import { Day, Moment, type Value } from './values.js'
import { columnOf, type World } from './world.js'
import { namedIn, wallOf } from './zones.js'

const startOf = (value: Day | Moment): number => (value instanceof Day ? startOfDay(value).micros : value.micros)

/**
 * The times that an aggregate of the level reads. An aggregate of aggregates reads those that each measure below it sees. Where other periods are read,
 * a time that the level does not show is moved with that of the periods, if both say the days of one calendar.
 */
export function rangesSeen(level: Level, name: string, time: string): readonly Range[] {
  const { world, moved, asked } = level
  const home = homeOf(world, name)
  const where = level.where.map((filter) => conditionFor(filter, home))
  const onTime = where.flatMap((filter, i) => (filter && readingOf(world, filter, time, asked, home) === 'time' ? [i] : []))
  if (moved && onTime.length === 0 && !timeNamed(world, level.dimensions, time))
    return rangesSeen(moved.level, name, time).map((range) => moveRange(range, moved.move, undefined, world))
  return timesLeft(
    level,
    onTime.filter((i) => seesConjunct(level, name, level.written[i]!) && applies(level, name, i)).map((i) => where[i]!),
    time,
  )
}

/** The object whose rows an aggregate reads; of an aggregate of aggregates, the first. */
export function homeOf(world: World, name: string): string {
  const metric = rowMetricOf(world, name)
  if (metric?.type === 'aggregate') return homeOf(world, atomNames(world, metric.measure!)[0]!)
  return atomNamed(world, metric?.base ?? metric?.steps?.[0]?.measure ?? name).home
}

/** Whether a conjunct applies to an aggregate: the column of one fact that joins a calendar does not restrict another. */
export const applies = (level: Level, name: string, conjunct: number): boolean =>
  appliedTo(level, name).some((applied) => applied[conjunct] !== false)

/** It does not depend on the dimensions: a level that nobody sees can be finer than the data, or have one that the aggregate does not reach. */
function appliedTo(level: Level, name: string): Block['applied'] {
  try {
    return blockOf(level, name).applied
  } catch (error) {
    if (!(error instanceof Refusal) || level.dimensions.length === 0) throw error
    return blockOf(levelOf({ ...level, dimensions: [] }), name).applied
  }
}

export function seesConjunct(level: Level, name: string, conjunct: FilterJson): boolean {
  const metric = rowMetricOf(level.world, name)
  if (metric?.type === 'aggregate')
    return atomNames(level.world, metric.measure!).every((inner) => seesConjunct(level, inner, conjunct))
  const { measure } = atomNamed(level.world, metric?.base ?? metric?.steps?.[0]?.measure ?? name)
  return sees(measure, conjunct) || isShown(level.world, conjunct, level.dimensions)
}

/** Whether the times are known without a calendar table: a column of periods names days that are in its rows. */
export const isKnown = ({ world, where, asked, dimensions, moved }: Level, time: string): boolean =>
  !where.some((f) => f && readingOf(world, f, time, asked) === 'time' && isNamed(world, f, asked) && !isOfGenerated(world, f)) &&
  !where.some((f) => f && (('ofTable' in f && f.ofTable) || readsDaysOfPeriods(world, f, time, asked))) &&
  !isOfTable(timeNamed(world, dimensions, time)?.grain) &&
  (!moved || timeNamed(world, dimensions, time) !== undefined || isKnown(moved.level, time))

/** The times that all conjuncts on time of the query leave. */
export const rangesLeft = (level: Level, time: string): readonly Range[] =>
  timesLeft(
    level,
    level.where.filter((f): f is FilterJson => f !== undefined && readingOf(level.world, f, time, level.asked) === 'time'),
    time,
  )

type Asking = Pick<Level, 'world' | 'now' | 'asked'>

/** Between two neighbouring times that the conditions name, they hold for all times or for none. */
export function timesLeft(level: Asking, filters: readonly FilterJson[], time: string): readonly Range[] {
  if (filters.length === 0) return [{ from: undefined, until: undefined }]
  const { world, now } = level
  const [first, ...rest] = filters.filter((f) => isNamed(world, f, level.asked))
  if (first) {
    const named = [first, ...rest.filter((f) => calendarOf(f, world) === calendarOf(first, world))]
    const others = timesLeft(
      level,
      filters.filter((f) => !named.includes(f)),
      time,
    )
    return daysLeft(level, named).flatMap(({ days }, i, all) => {
      if (all[i - 1]?.days === days - 1) return []
      const last = all.slice(i).find(({ days: day }, n) => all[i + n + 1]?.days !== day + 1)!
      return within(others, { from: startOf(new Day(days)), until: startOf(new Day(last.days + 1)) })
    })
  }
  const clock: Now = { now, reckoning: world }
  const edges = [...new Set(filters.flatMap((f) => edgesOf(level, f)))].toSorted((a, b) => a - b)
  const valueAt = valueOfTime(world, level.asked, time)
  const holds = (micros: number): boolean => filters.every((f) => holdsAt(level, f, valueAt(micros), clock))
  const found: Range[] = []
  const add = (range: Range): void => {
    const last = found.at(-1)
    if (last && last.until === range.from) found[found.length - 1] = { from: last.from, until: range.until }
    else found.push(range)
  }
  const DAY = 86_400_000_000
  if (edges.length === 0) return holds(0) ? [{ from: undefined, until: undefined }] : []
  if (holds(edges[0]! - DAY)) add({ from: undefined, until: edges[0] })
  edges.forEach((edge, i) => {
    if (holds(edge)) add({ from: edge, until: edges[i + 1] })
  })
  return found
}

/** A local time as a value of the column. */
function valueOfTime(world: World, asked: readonly Asked[], time: string): (micros: number) => Value {
  const along = timeNamed(world, asked, time)
  const { dataObject, column } = world.model.dimensions![along?.coalesced?.[0] ?? along?.name ?? time]!
  const known = column === undefined ? undefined : columnOf(world, dataObject, column)
  const { zone, naive } = world.clocks
  if (known?.kind === 'date') return (micros) => new Day(Math.floor(micros / 86_400_000_000))
  if (known?.isInstant || naive !== undefined) return (micros) => new Moment(micros, micros, namedIn(zone, micros), zone)
  return (micros) => new Moment(micros)
}

function holdsAt(level: Asking, filter: FilterJson, value: Value, clock: Now): boolean {
  return triAt(level, filter, value, clock) === true
}

function triAt(level: Asking, filter: FilterJson, value: Value, clock: Now): boolean | null {
  if ('logic' in filter) {
    const parts = filter.filters.map((f) => ({ roles: [], readable: true, holds: () => triAt(level, f, value, clock) }))
    return group(filter, parts).holds([])
  }
  const field = filterField(level.world, filter.field, level.asked, '')
  const grain = grainOfFilter(level, filter)
  const compared = grain === undefined ? value : truncate(grain, value, level.world)
  return testOfFilter(filter, field.comparedAs ?? field.kind, clock)(compared)
}

/** A filter compares the value at the declared grain; that of a coalesce has none. */
function grainOfFilter({ world, asked }: Asking, { field }: LeafJson): string | undefined {
  const alias = asked.find((a) => a.name === field && a.coalesced)
  const name = alias?.coalesced?.[0] ?? field
  return world.model.dimensions?.[name]?.timeGrain
}

function edgesOf(level: Asking, filter: FilterJson): readonly number[] {
  if ('logic' in filter) return filter.filters.flatMap((f) => edgesOf(level, f))
  const grain = grainOfFilter(level, filter)
  const named = timesIn(level, filter.value ?? null)
  if (grain === undefined) return named
  return named.flatMap((at) => {
    const { from, until } = periodRange(grain, at, level.world)
    return [at, from, until]
  })
}

/** Where the times that a value names begin and end. */
function timesIn(level: Asking, value: Json): readonly number[] {
  if (typeof value === 'string') {
    const day = parseDay(value)
    if (day) return [startOf(day), startOf(dayAfter(day))]
    const moment = parseMoment(value)
    return moment ? [moment.micros, moment.micros + 1] : []
  }
  if (Array.isArray(value)) return value.flatMap((v) => timesIn(level, v))
  if (value === null || typeof value !== 'object') return []
  const { unit, count } = value as { readonly unit: string; readonly count: number }
  const { world, now } = level
  const current = truncate(unit, new Moment(wallOf(now.getTime() * 1000, world.clocks.zone)), world) as Day | Moment
  return [-count, -count + 1, 0, 1, count, count + 1].map((n) => startOf(addPeriods(unit, current, n, world)))
}

/** The time itself, also if the model declares a grain for it. */
export function rawTime(world: World, asked: readonly Asked[], time: string): Asked {
  const along = timeNamed(world, asked, time)
  const dimensions = Object.fromEntries(
    Object.entries(world.model.dimensions ?? {}).map(([name, { timeGrain: _, ...dimension }]) => [name, dimension]),
  )
  const plain: World = { ...world, model: { ...world.model, dimensions }, memo: new Map() }
  return askedDimension(plain, along?.coalesced ? { coalesce: along.coalesced, as: along.name } : (along?.name ?? time))
}

/** The local time of a value of the column. */
export const localOf = (value: Value): number | undefined =>
  value instanceof Day || value instanceof Moment ? startOf(value) : undefined

export const isIn = ({ from, until }: Range, micros: number | undefined): boolean =>
  micros !== undefined && (from === undefined || micros >= from) && (until === undefined || micros < until)

/** The parts of ranges within a period. */
export const within = (ranges: readonly Range[], period: Range): readonly Range[] =>
  ranges.flatMap(({ from, until }) => {
    const first = from === undefined ? period.from : period.from === undefined ? from : Math.max(from, period.from)
    const end = until === undefined ? period.until : period.until === undefined ? until : Math.min(until, period.until)
    return first !== undefined && end !== undefined && first >= end ? [] : [{ from: first, until: end }]
  })
