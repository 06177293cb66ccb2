/** The time dimension of a metric at a level: its grain in use, and the level with that dimension at this grain. */
import { lengthOf, truncate } from './calendar.js'
import { calendarColumns, follows, sameDays } from './calendar-tables.js'
import { type Asked, addressOf, askedDimension } from './fields.js'
import { type Level, levelOf, type Tuple } from './levels.js'
import type { FilterJson } from './model.js'
import type { Day, Moment } from './values.js'
import type { World } from './world.js'

export interface TimeAxis {
  /** Its position in the level's dimensions. */
  readonly at: number
  readonly grain: string
  /** The dimension at that grain. */
  readonly dimension: Asked
}

/** Undefined if the level has no such dimension. */
export function timeAxis(level: Level, name: string, fallback: string | undefined): TimeAxis | undefined {
  const at = timeAt(level, name)
  if (at < 0) return undefined
  const along = level.dimensions[at]!
  const inUse = along.grain ?? fallback ?? 'day'
  return { at, grain: inUse, dimension: inPeriods(level.world, along, inUse) }
}

/** A time in periods of a grain. */
export const inPeriods = (world: World, { name, coalesced }: Asked, grain: string): Asked =>
  askedDimension(world, coalesced ? { coalesce: coalesced, as: name, grain } : `${name}:${grain}`)

/** The position of the dimension that a metric along the time `name` runs along; −1 if there is none. */
export function timeAt({ world, dimensions }: Pick<Level, 'world' | 'dimensions'>, name: string): number {
  const along = timeNamed(world, dimensions, name)
  return along ? dimensions.indexOf(along) : -1
}

/** The finest dimension on the column of the time `name`, or else the finest coalesce with it. */
export function timeNamed(world: World, dimensions: readonly Asked[], name: string): Asked | undefined {
  const address = addressOf(world, name)
  const own = dimensions.filter((d) => !d.coalesced && addressOf(world, d.name) === address)
  const all = [...own, ...ofSameDays(world, dimensions, name)]
  return finest(all.length > 0 ? all : dimensions.filter((d) => columnsUnder(world, d).includes(address)))
}

/** Dimensions on another column that says the same days: by which a fact joins a calendar, or the day of that calendar. Those of two facts are two times. */
function ofSameDays(world: World, dimensions: readonly Asked[], name: string): readonly Asked[] {
  const address = addressOf(world, name)
  const daysOf = (of: string) => calendarColumns(world, of).filter(({ says }) => says === 'day')
  const days = daysOf(name)
  const found = dimensions.filter(
    (d) =>
      !d.coalesced && addressOf(world, d.name) !== address && daysOf(d.name).some((a) => days.some((b) => sameDays(world, a, b))),
  )
  const isOne = new Set(found.map((d) => addressOf(world, d.name))).size === 1
  return isOne ? found : found.filter((d) => daysOf(d.name).some(({ fact }) => fact === undefined))
}

/** The columns of a dimension: several for a coalesce. */
export const columnsUnder = (world: World, { name, coalesced }: Asked): readonly string[] =>
  (coalesced ?? [name]).map((n) => addressOf(world, n))

/** Of dimensions on one time the one with the shortest periods. */
export function finest(dimensions: readonly Asked[]): Asked | undefined {
  // A month comes before that of a calendar, and calendars are in the order of their names.
  const name = ({ grain = '' }: Asked): string => (grain.includes('_') ? grain : '')
  return dimensions.toSorted(
    (a, b) => lengthOf(a.grain) - lengthOf(b.grain) || (name(a) === name(b) ? 0 : name(a) < name(b) ? -1 : 1),
  )[0]
}

/** True for dimensions on the same column, at any grain. */
export const sameTime = (world: World, a: Asked, b: Asked): boolean =>
  ((a.coalesced === undefined) === (b.coalesced === undefined) &&
    columnsUnder(world, a).join() === columnsUnder(world, b).join()) ||
  (!a.coalesced && ofSameDays(world, [b], a.name).length > 0)

/** Whether a dimension is on the time that another one shows, or a function of it. */
export const isOfTime = (world: World, one: Asked, time: Asked): boolean =>
  sameTime(world, one, time) || follows(world, one, time)

/** Whether a period decides a dimension. A time for which columns stand is what these say, if they do not follow from the period. */
export const isDecided = (world: World, one: Asked, time: Asked, dimensions: readonly Asked[]): boolean =>
  isOfTime(world, one, time) &&
  (one.toldBy ?? []).every((name) => dimensions.every((d) => d.name !== name || isOfTime(world, d, time)))

/** The positions of the dimensions that do not depend on the time of the axis. */
export const otherDimensions = ({ world, dimensions }: Level, { at }: TimeAxis): readonly number[] =>
  dimensions.flatMap((d, i) => (isDecided(world, d, dimensions[at]!, dimensions) ? [] : [i]))

/** The period of a row; null if it has no time. */
export const periodOf = (level: Level, axis: TimeAxis, tuple: Tuple): Day | Moment | null =>
  truncate(axis.grain, tuple[axis.at]!, level.world) as Day | Moment | null

export const sameButBy = (level: Level, dimensions: readonly Asked[], where: readonly (FilterJson | undefined)[]): Level =>
  levelOf({ ...level, dimensions, where })
