/** Joins over time: the period that holds at a time, and all periods that hold. */
import type { DuringJson, JoinJson } from './model.js'
import { Day, Moment, type Value } from './values.js'
import type { Row, Thing, World } from './world.js'
import type { Clocks } from './zones.js'

const DAY_MICROS = 86_400_000_000
const BEGINNING = Number.NEGATIVE_INFINITY
const NO_END = Number.POSITIVE_INFINITY

/** The reading of a stored column, by clocks that the join chooses and no query. */
export type ReadStored = (thing: Thing, row: Row, column: string, clocks: Clocks) => Value

/** Numbers on one line: a time, or the first and the last one of a period. */
interface Period {
  readonly from: number
  readonly to: number
  readonly includesEnd: boolean
}

const isEmpty = ({ from, to, includesEnd }: Period): boolean => (includesEnd ? to < from : to <= from)
const endsAfter = ({ to, includesEnd }: Period, time: number): boolean => (includesEnd ? time <= to : time < to)

export interface Sides {
  readonly world: Pick<World, 'clocks'>
  readonly left: Thing
  readonly right: Thing
  readonly read: ReadStored
}

export interface Matching {
  /** Every row of the target whose period holds, or whose time is in the period. */
  readonly all: (row: Row, target: Row) => boolean
  /** Of the rows of the target, the last that began and whose period has not ended. */
  readonly one: (row: Row, targets: readonly Row[]) => Row | null
}

export function during(join: JoinJson & { readonly during: DuringJson }, sides: Sides): Matching {
  const { interval = 'there', time, includesEnd = false } = join.during
  const { left, right } = sides
  const [owner, other] = interval === 'there' ? [right, left] : [left, right]
  const clocks = clocksOf(join.during, sides.world.clocks)
  const stored = (thing: Thing, row: Row, column: string): Value => sides.read(thing, row, column, clocks)
  const ofDays = owner.columns.get(join.during.from)!.kind === 'date'
  const timeOf = (row: Row): number | undefined => {
    const value = stored(other, row, time)
    if (value === null) return undefined
    if (ofDays && value instanceof Moment) return Math.floor(value.micros / DAY_MICROS)
    return numberOf(value)
  }
  const periodOf = (row: Row): Period | undefined => {
    const [from, to] = [stored(owner, row, join.during.from), stored(owner, row, join.during.to)]
    if (from === null && interval === 'here') return undefined
    return { from: from === null ? BEGINNING : numberOf(from), to: to === null ? NO_END : numberOf(to), includesEnd }
  }
  const holds = (at: number | undefined, period: Period | undefined): boolean =>
    at !== undefined && period !== undefined && !isEmpty(period) && period.from <= at && endsAfter(period, at)
  return {
    all: (row, target) =>
      interval === 'there' ? holds(timeOf(asStored(row)), periodOf(target)) : holds(timeOf(target), periodOf(asStored(row))),
    one: (row, targets) => {
      const at = timeOf(asStored(row))
      if (at === undefined) return null
      const begun = targets
        .map((target) => ({ target, period: periodOf(target)! }))
        .filter(({ period }) => !isEmpty(period) && period.from <= at)
        .toSorted((a, b) => b.period.from - a.period.from)
      const [last] = begun
      return last && endsAfter(last.period, at) ? last.target : null
    },
  }
}

/** A row of coarse data is found by its own day, whatever day of its period it stands for. */
const asStored = (row: Row): Row => row.share?.row ?? row

/** A time whose zone is not known is not converted. */
export function clocksOf({ zone }: Pick<DuringJson, 'zone'>, { written }: Clocks): Clocks {
  const own = zone ?? written ?? 'UTC'
  return { zone: own, naive: own === written ? undefined : written, written }
}

/** Days as days; instants and local times as they are compared. */
export function numberOf(value: Value): number {
  if (value instanceof Day) return value.days
  if (value instanceof Moment) return value.instant ?? value.micros
  throw new Error('a period is of days or times')
}
