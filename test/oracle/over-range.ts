/** Values over a range of times, in place of the period of a row or of the times that the query leaves. */
import { aggregate } from './aggregates.js'
import { addPeriods, addTo, lengthOf, truncate } from './calendar.js'
import { calendarColumns, sameDays } from './calendar-tables.js'
import { compared } from './compared-values.js'
import {
  atomNamed,
  atomNames,
  atomsOf,
  baseOf,
  componentsOf,
  isOverTime,
  metricOf,
  rowMetricOf,
  timeOf,
  typeOf,
} from './components.js'
import type { Node } from './expressions.js'
import { addressOf } from './fields.js'
import { firstOfPeriods, grainOfFirst, unitOfFull } from './full-windows.js'
import { grainOf } from './grain.js'
import { atGrain, blockOf, defaultOf, groupAt, type Level, levelOf, type Tuple, tuplesOf, valueAt } from './levels.js'
import type { MetricJson } from './model.js'
import { type Move, moveRange, type Range } from './moved-range.js'
import { inPeriods, timeNamed } from './periods.js'
import { refuse } from './refusal.js'
import { isIn, isKnown, localOf, rangesLeft, rangesSeen, rawTime, within } from './row-ranges.js'
import { formulaValue, sheetOf } from './sheet.js'
import { isShown } from './shown.js'
import { withoutTime } from './time-conjuncts.js'
import { type Day, keyOf, keyOfAll, Moment, type Value } from './values.js'
import type { World } from './world.js'

/** The range of rows with the same period, or of all rows of a level that does not show the time, and how it is moved. */
export interface RowRange {
  /** The level of the rows, with all its conjuncts. */
  readonly level: Level
  readonly time: string
  /** The dimensions besides the time. */
  readonly others: readonly number[]
  readonly grain: string | undefined
  readonly period: Range | undefined
  readonly moves: readonly Move[]
  /** The whole period, whatever the conjuncts leave of it. */
  readonly isWhole?: boolean
  /** Nothing after the last time that the conjuncts leave, also in a period that they leave out. */
  readonly isBounded?: boolean
}

/** A formula for values of the other dimensions. */
export const valueOver = (range: RowRange, node: Node, others: Tuple): Value =>
  formulaValue(range.level.world, node, (name) => namedOver(range, name, others))

function namedOver(range: RowRange, name: string, others: Tuple): Value {
  const { world } = range.level
  const metric = metricOf(world, name)
  if (!metric) return measuredOver(range, name, others)
  switch (typeOf(metric)) {
    case 'derived':
      return valueOver(range, baseOf(metric), others)
    case 'period_over_period':
      return comparedOver(range, metric, others)
    case 'cumulative':
      return runningOver(range, metric, others)
    case 'window':
      throw new Error(`${name} depends on other rows`)
  }
}

/** The base in the range, compared with the base in the range moved. */
export function comparedOver(range: RowRange, metric: MetricJson, others: Tuple): Value {
  const { comparison = 'previousValue' } = metric.periodOverPeriod!
  const before = valueOver(movedBy(range, metric), baseOf(metric), others)
  if (comparison === 'previousValue') return before
  return compared(comparison, valueOver(range, baseOf(metric), others), before)
}

export const movedBy = (range: RowRange, metric: MetricJson): RowRange => ({
  ...range,
  moves: [...range.moves, moveOf(range.level, metric, range.grain)],
})

/** How a comparison moves times where rows show periods of a grain, or no time. */
export function moveOf(level: Level, metric: MetricJson, grain: string | undefined): Move {
  const { offset = -1, offsetGrain = grain, offsetToGrain } = byLength(level, metric, grain).periodOverPeriod!
  if (offsetGrain === 'range') return { lengths: offset }
  return offsetToGrain === undefined ? { unit: offsetGrain!, count: offset } : { toFirstOf: offsetToGrain }
}

/** An offset that counts lengths of the times of the query, in days or seconds where rows show the time. */
export function byLength(level: Level, metric: MetricJson, grain: string | undefined): MetricJson {
  const { offset = -1, offsetGrain, timeDimension } = metric.periodOverPeriod!
  if (offsetGrain !== 'range' || grain === undefined) return metric
  const [{ from, until } = EMPTY] = rangesLeft(level, timeDimension)
  const DAY = 86_400_000_000
  const unit = from! % DAY === 0 && until! % DAY === 0 ? DAY : 1_000_000
  const count = (offset * (until! - from!)) / unit
  return {
    ...metric,
    periodOverPeriod: { ...metric.periodOverPeriod!, offset: count, offsetGrain: unit === DAY ? 'day' : 'second' },
  }
}

/** Without a row there, a value of another time is NULL, for counts too, and then its default. */
function measuredOver(range: RowRange, name: string, others: Tuple): Value {
  const isOfGroups = rowMetricOf(range.level.world, name)?.type === 'aggregate'
  const level = levelIn(range, rangeOf(range, name), {
    isOwn: range.moves.length === 0,
    ...(isOfGroups && range.period && { coarse: rangeOf(range, name, false) }),
  })
  const value = groupAt(blockOf(level, name), others)?.value
  return (range.moves.length > 0 ? value : (value ?? blockOf(level, name).absent)) ?? defaultOf(level.world, name)
}

/** The range of an aggregate: what its conjuncts leave of the period, moved; an aggregate whose grain has no time reads all that they leave. */
export function rangeOf(range: RowRange, name: string, ofPeriod = hasTime(range, name)): Range {
  const { level, time, moves, period, grain } = range
  const seen = (): readonly Range[] => rangesSeen(level, name, time)
  // A period that the conjuncts leave out altogether is read as a whole, but by nothing that reads all that they leave.
  const [own = (ofPeriod ? period : undefined) ?? EMPTY] =
    ofPeriod && period ? (range.isWhole ? [period] : within(seen(), period)) : seen()
  if (!ofPeriod && own.from === undefined && own.until === undefined) return ANY
  return moves.reduce((at, move) => (at === EMPTY ? at : moveRange(at, move, ofPeriod ? grain : undefined, level.world)), own)
}

const EMPTY: Range = { from: 0, until: 0 }
/** All rows, also those without a time. */
const ANY: Range = { from: undefined, until: undefined }

/** Whether the grain of an aggregate has the time of the rows. */
export function hasTime({ level, time }: Pick<RowRange, 'level' | 'time'>, name: string): boolean {
  const { world } = level
  const metric = rowMetricOf(world, name)
  if (metric?.type === 'aggregate') return true
  const along = timeNamed(world, level.dimensions, time)
  return (
    along === undefined ||
    grainOf(atomNamed(world, metric?.base ?? metric?.steps?.[0]?.measure ?? name).measure, [along]).includes(0)
  )
}

/** Whether an aggregate, and each measure of its groups, has the time of the rows. */
export function readsPeriods(range: Pick<RowRange, 'level' | 'time'>, name: string): boolean {
  const { world } = range.level
  const metric = rowMetricOf(world, name)
  if (metric?.type !== 'aggregate') return hasTime(range, name)
  return atomNames(world, metric.measure!).every((inner) => readsPeriods(range, inner))
}

const known = new WeakMap<Level['blocks'], Map<string, Level>>()

interface Read {
  readonly more?: readonly Level['dimensions'][number][]
  /** The times of the rows themselves: what is shown says them, too. */
  readonly isOwn?: boolean
  /** Of the measures of groups whose grain has no time. */
  readonly coarse?: Range
}

/** The rows of a range, by the other dimensions. */
function levelIn({ level, time, others }: RowRange, range: Range, { more = [], isOwn = false, coarse }: Read = {}): Level {
  const memo = known.get(level.blocks) ?? new Map<string, Level>()
  known.set(level.blocks, memo)
  const key = JSON.stringify([range === ANY, time, others, range.from, range.until, more.map((d) => d.text), isOwn, coarse])
  const made =
    memo.get(key) ??
    levelOf({
      ...level,
      dimensions: [...more, ...others.map((i) => level.dimensions[i]!)],
      where: withoutTime(level, time).map((filter, i) => (isOwn && isShown(level.where[i]) ? level.where[i] : filter)),
      ...(range !== ANY && {
        window: {
          // The time of the rows; a level need not show what others show.
          time: rawTime(level.world, timeNamed(level.world, level.dimensions, time) ? level.dimensions : level.asked, time),
          admits: (value: Value) => isIn(range, localOf(value)),
          ofAll: true,
          ofCoarse: coarse && ((value: Value) => coarse === ANY || isIn(coarse, localOf(value))),
        },
      }),
    })
  memo.set(key, made)
  return made
}

/** The tuples of the other dimensions for which these aggregates have a row in their ranges. */
export function tuplesOver(range: RowRange, names: readonly string[]): readonly Tuple[] {
  const found = names.flatMap((name) => atGrain(levelIn(range, rangeOf(range, name)), [name]))
  return [...new Map(found.map((tuple) => [keyOfAll(tuple), tuple])).values()]
}

/** The tuples with a row in the window of a running value; none if it is the same for several rows. */
export function tuplesInWindow(range: RowRange, metric: MetricJson): readonly Tuple[] {
  const { dimensions } = range.level
  if (metric.partitionBy && range.others.some((at) => !metric.partitionBy!.includes(dimensions[at]!.name))) return []
  const found = atomsOf(range.level.world, metric).flatMap((name) =>
    atGrain(levelIn(range, windowOf(range, metric, rangeOf(range, name))), [name]),
  )
  return [...new Map(found.map((tuple) => [keyOfAll(tuple), tuple])).values()]
}

/** A running value as of the end of the range. */
export function runningOver(range: RowRange, metric: MetricJson, others: Tuple): Value {
  const { level } = range
  const partition = range.others.flatMap((at, i) =>
    (metric.partitionBy?.includes(level.dimensions[at]!.name) ?? true) ? [i] : [],
  )
  const within: RowRange = { ...range, others: partition.map((i) => range.others[i]!) }
  const own = partition.map((i) => others[i]!)
  if (metric.onlyFull && !isFullOver(within, metric, own)) return null
  return metric.cumulativeType === undefined ? recomputed(within, metric, own) : folded(within, metric, own)
}

/** Whether the window begins no earlier than the period of the first rows of the base, for each of its measures. */
function isFullOver(range: RowRange, metric: MetricJson, own: Tuple): boolean {
  const { level } = range
  const { world } = level
  const shown = grainOfWindow(range, metric)
  const time = inPeriods(world, rawTime(world, level.asked, range.time), shown ?? grainOfFirst(metric))
  const atoms = atomsOf(world, metric)
  const rows = tuplesOf(levelIn(range, { from: undefined, until: undefined }, { more: [time] }), atoms)
  const first = firstOfPeriods(rows.filter(([, ...rest]) => keyOfAll(rest) === keyOfAll(own)).map(([period]) => period!))
  if (first === null) return false
  const timed = atoms.filter((name) => hasTime(range, name))
  return (timed.length > 0 ? timed : atoms).every((name) => {
    const times = rangeOf(range, name)
    const { from } = windowOf(range, metric, times)
    const period = localOf(truncate(shown ?? unitOfFull(world, metric, times), first, world))!
    return times !== EMPTY && from !== undefined && from >= period
  })
}

function recomputed(range: RowRange, metric: MetricJson, own: Tuple): Value {
  const { world } = range.level
  const measured = (name: string): Value => {
    const part = metricOf(world, name)
    if (part) return formulaValue(world, baseOf(part), measured)
    return valueAt(levelIn(range, windowOfPart(range, metric, name)), name, own)
  }
  return formulaValue(world, baseOf(metric), measured)
}

/** The values of the periods in the window that have a row. */
function folded(range: RowRange, metric: MetricJson, own: Tuple): Value {
  const { level } = range
  const { world } = level
  const base = metric.measure!
  const [first] = atomsOf(world, metric)
  const window = windowRead(range, metric, first!)
  const time = inPeriods(world, rawTime(world, level.asked, range.time), grainOfWindow(range, metric) ?? metric.windowGrain!)
  const inner = levelIn(range, window, { more: [time] })
  const sheet = sheetOf(inner, tuplesOf(inner, atomsOf(world, metric)))
  const values = sheet.column(base).filter((_, i) => {
    const [period, ...rest] = sheet.tuples[i]!
    return period !== null && rest.every((v, at) => keyOf(v) === keyOf(own[at]!))
  })
  return aggregate(
    { name: metric.cumulativeType!, distinct: false, delimiter: '' },
    values.map((v) => [v]),
  )
}

/** A window in a finer unit than the rows ends with their range, as if they did not show the time. */
const grainOfWindow = ({ grain }: RowRange, metric: MetricJson): string | undefined =>
  isFiner(metric, grain) ? undefined : grain

/** Folded periods must begin and end with those of the rows. */
export function isFiner({ windowGrain: unit, cumulativeType }: MetricJson, grain: string | undefined): boolean {
  if (unit === undefined || grain === undefined || lengthOf(unit) >= lengthOf(grain) || lengthOf(unit) < lengthOf('day'))
    return false
  const family = (of: string): string => (of.includes('_') ? of.replace(/_[a-z]+$/, '') : '')
  const isNested = unit === 'day' || (family(unit) === family(grain) && unit !== 'week')
  return isNested || (unit.split('_').at(-1) === 'week' && cumulativeType === undefined)
}

/** A part whose grain has no time has no periods to count, here as in each row: its window is all times up to the end. */
function windowOfPart(range: RowRange, metric: MetricJson, name: string): Range {
  const own = rangeOf(range, name)
  if (hasTime(range, name)) return windowRead(range, metric, name)
  if (own === EMPTY) return own
  return own.until === undefined ? ANY : { from: undefined, until: own.until }
}

/** The times of a window that an aggregate reads. */
function windowRead(range: RowRange, metric: MetricJson, name: string): Range {
  const window = windowOf(range, metric, rangeOf(range, name))
  const last = range.isBounded ? rangesSeen(range.level, name, range.time).at(-1)?.until : undefined
  return last === undefined || window.until === undefined ? window : { from: window.from, until: Math.min(last, window.until) }
}

/** The times of a window that ends with a range. */
function windowOf(row: RowRange, metric: MetricJson, range: Range): Range {
  const { world } = row.level
  const grain = grainOfWindow(row, metric)
  const { window, windowGrain, grainToDate, cumulativeType } = metric
  const { until } = range
  if (range === EMPTY || until === undefined || (window === undefined && grainToDate === undefined))
    return { from: range === EMPTY ? 0 : undefined, until }
  const unit = grain ?? windowGrain
  const last = unit === undefined ? undefined : (truncate(unit, new Moment(until - 1), world) as Day | Moment)
  if (grainToDate !== undefined) {
    const at = last ?? new Moment(until - 1)
    const first = localOf(truncate(grainToDate, at, world))!
    return { from: last === undefined ? first : Math.min(first, localOf(last)!), until }
  }
  const periods = Number(window)
  if (windowGrain === undefined || windowGrain === grain || (grain === undefined && cumulativeType !== undefined))
    return { from: localOf(addPeriods(unit!, last!, 1 - periods, world)), until }
  if (grain === undefined)
    return { from: moveRange(range, { unit: windowGrain, count: -periods }, undefined, world).until, until }
  const before = truncate(grain, addTo(last!, windowGrain, -periods, world), world) as Day | Moment
  return { from: localOf(addPeriods(grain, before, 1, world)), until }
}

function lackOf(range: RowRange, name: string): string | undefined {
  const { world } = range.level
  const metric = metricOf(world, name)
  if (metric) return lackOfMetric(range, metric)
  const inner = rowMetricOf(world, name)
  if (inner?.type === 'aggregate' && isOverTime(world, inner.measure!)) return 'TIME_DIMENSION_NOT_SELECTED'
  return range.moves.length > 0 ? rangeLack(range, name, 'both') : undefined
}

/** Why a metric over time has no value at a level that does not show its time; undefined if it has one. */
export function lackOfMetric(range: RowRange, metric: MetricJson): string | undefined {
  if (typeOf(metric) === 'derived') return firstOf(componentsOf(metric).map((c) => lackOf(range, c)))
  if (!isAlong(range, metric)) return 'TIME_DIMENSION_NOT_SELECTED'
  if (typeOf(metric) === 'cumulative') return runningLack(range, metric)
  const { offsetGrain, offsetToGrain, comparison = 'previousValue' } = metric.periodOverPeriod!
  if (range.grain === undefined && (offsetToGrain !== undefined || offsetGrain === undefined)) return 'WINDOW_GRAIN_REQUIRED'
  const there = movedBy(range, metric)
  const own = comparison === 'previousValue' ? [] : componentsOf(metric).map((c) => lackOf(range, c))
  return firstOf([...componentsOf(metric).map((c) => lackOf(there, c)), ...own])
}

/** Whether a metric has no value at a level that does not show its time. It is refused if no level shows it. */
export function isLacking(range: RowRange, metric: MetricJson): boolean {
  const lack = lackOfMetric(range, metric)
  const { world, asked } = range.level
  if (lack !== undefined && !timeNamed(world, asked, range.time)) refuse(lack, 'no level shows its time')
  return lack !== undefined
}

const firstOf = (lacks: readonly (string | undefined)[]): string | undefined => lacks.find((lack) => lack !== undefined)

function runningLack(range: RowRange, metric: MetricJson): string | undefined {
  const { world } = range.level
  const { window, windowGrain, grainToDate, cumulativeType } = metric
  if (componentsOf(metric).some((c) => isOverTime(world, c))) return 'TIME_DIMENSION_NOT_SELECTED'
  if (range.grain === undefined && windowGrain === undefined && (window !== undefined || cumulativeType !== undefined))
    return 'WINDOW_GRAIN_REQUIRED'
  const end = window !== undefined || grainToDate !== undefined
  return firstOf(atomsOf(world, metric).map((name) => rangeLack(range, name, end ? 'end' : 'none')))
}

function rangeLack({ level, time, grain }: RowRange, name: string, ends: 'both' | 'end' | 'none'): string | undefined {
  if (grain !== undefined) return undefined
  if (!isKnown(level, time)) return 'TIME_FILTER_NOT_A_RANGE'
  const ranges = rangesSeen(level, name, time)
  if (ranges.length === 0) return undefined
  if (ranges.length > 1) return 'TIME_FILTER_NOT_A_RANGE'
  const [{ from, until } = EMPTY] = ranges
  const isBounded = ends === 'none' || (until !== undefined && (ends === 'end' || from !== undefined))
  return isBounded ? undefined : 'TIME_RANGE_REQUIRED'
}

/** Whether one time is the day of a calendar, and the other one the column by which a fact joins it. */
const isDayOf = (world: World, day: string, time: string): boolean =>
  calendarColumns(world, day).some(
    (a) =>
      a.says === 'day' &&
      a.fact === undefined &&
      calendarColumns(world, time).some((b) => b.says === 'day' && b.fact !== undefined && sameDays(world, a, b)),
  )

/** A metric over the same time, and no window. */
export function isAlong({ level: { world }, time }: RowRange, metric: MetricJson): boolean {
  const own = timeOf(metric)
  if (typeOf(metric) === 'window' || own === undefined) return false
  return addressOf(world, own) === addressOf(world, time) || isDayOf(world, own, time) || isDayOf(world, time, own)
}
