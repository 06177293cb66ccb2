/** Comparisons and running values whose times end at the clock, as if the query had one more filter on their time (`untilNow`). */
import { componentsOf, metricOf, timeOf, typeOf } from './components.js'
import { type Asked, addressOf } from './fields.js'
import { type Level, levelOf, type Tuple } from './levels.js'
import type { FilterJson, MetricJson } from './model.js'
import { columnsUnder, periodOf, type TimeAxis, timeNamed } from './periods.js'
import { localOf } from './row-ranges.js'
import { isoDay, isoMoment } from './values.js'
import { columnOf, type World } from './world.js'
import { wallOf } from './zones.js'

const DAY = 86_400_000_000
const SECOND = 1_000_000

/** The times of a metric, and of those below it that are evaluated with it, which end at the clock. */
export function timesUntilNow(world: World, metric: MetricJson): readonly string[] {
  const type = typeOf(metric)
  if (type !== 'period_over_period' && type !== 'cumulative') return []
  const own = (metric.periodOverPeriod?.untilNow ?? metric.untilNow) ? [timeOf(metric)!] : []
  return [...new Set([...own, ...below(world, metric)])]
}

const below = (world: World, metric: MetricJson): readonly string[] =>
  componentsOf(metric).flatMap((name) => {
    const part = metricOf(world, name)
    if (!part) return []
    return typeOf(part) === 'derived' ? below(world, part) : timesUntilNow(world, part)
  })

const known = new WeakMap<Level['blocks'], Map<string, Level>>()

/** The level at which a metric is evaluated; undefined if it is this one. */
export function levelUntilNow(level: Level, metric: MetricJson): Level | undefined {
  const { cut = [] } = level
  const times = timesUntilNow(level.world, metric).filter((time) => !cut.includes(columnsOf(level, time)))
  if (times.length === 0) return undefined
  const memo = known.get(level.blocks) ?? new Map<string, Level>()
  known.set(level.blocks, memo)
  const key = times.join('|')
  const filters = times.map((time) => filterOf(level, time))
  const { written, where } = level
  const made =
    memo.get(key) ??
    levelOf({
      ...level,
      written: [...written, ...filters],
      where: [...where, ...filters],
      cut: [...cut, ...times.map((time) => columnsOf(level, time))],
    })
  memo.set(key, made)
  return made
}

const columnsOf = ({ world, asked }: Level, time: string): string => {
  const along = timeNamed(world, asked, time)
  return (along ? columnsUnder(world, along) : [addressOf(world, time)]).join()
}

/** The first local time after the present: tomorrow, or the next second. */
export function endOfNow({ world, asked, now }: Level, time: string): { readonly at: number; readonly ofDays: boolean } {
  const { dataObject, column } = world.model.dimensions![alongOf(world, asked, time)?.coalesced?.[0] ?? time]!
  const ofDays = columnOf(world, dataObject, column!).kind === 'date'
  const unit = ofDays ? DAY : SECOND
  return { at: (Math.floor(wallOf(now.getTime() * 1000, world.clocks.zone) / unit) + 1) * unit, ofDays }
}

/** Whether the period of a row begins after the present. */
export function isAfterNow(level: Level, axis: TimeAxis, time: string, tuple: Tuple): boolean {
  const at = localOf(periodOf(level, axis, tuple))
  return at !== undefined && at >= endOfNow(level, time).at
}

const alongOf = (world: World, asked: readonly Asked[], time: string): Asked | undefined => timeNamed(world, asked, time)

/** On the time itself, whatever its declared grain. */
function filterOf(level: Level, time: string): FilterJson {
  const { world, asked } = level
  const along = alongOf(world, asked, time)
  const { timeGrain } = world.model.dimensions![time]!
  const name = along?.coalesced ? along.name : time
  const field = along?.coalesced || timeGrain === undefined ? name : addressOf(world, time)
  const { at, ofDays } = endOfNow(level, time)
  return { field, as: name, op: 'lt', value: ofDays ? isoDay(at / DAY) : isoMoment(at) }
}
