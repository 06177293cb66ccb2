/** Joins to the last row at or before a time, or to the first at or after it. */
import { addTo } from './calendar.js'
import { clocksOf, numberOf, type Sides } from './during.js'
import type { AsOfJson, JoinJson } from './model.js'
import { compare, Day, Moment, type Value } from './values.js'
import type { Row } from './world.js'

const DAY_MICROS = 86_400_000_000

/** Of the rows of the target, the nearest one in time, if it is near enough; of several of one time, the one with the greatest key. */
export function asOf(
  join: JoinJson & { readonly asOf: AsOfJson },
  { left, right, world, read }: Sides,
): (row: Row, targets: readonly Row[]) => Row | null {
  const { time, to, direction = 'backward', within } = join.asOf
  const clocks = clocksOf(join.asOf, world.clocks)
  const isOfDays = right.columns.get(to)!.kind === 'date'
  const timeOf = (row: Row): Value => {
    const value = read(left, row, time, clocks)
    return isOfDays && value instanceof Moment ? new Day(Math.floor(value.micros / DAY_MICROS)) : value
  }
  const sign = direction === 'backward' ? 1 : -1
  return (row, targets) => {
    const at = timeOf(row.share?.row ?? row)
    if (at === null) return null
    const dated = targets.flatMap((target) => {
      const own = read(right, target, to, clocks)
      return own === null ? [] : [{ target, at: numberOf(own), keys: right.key.map((name) => target.values[name]!) }]
    })
    const nearest = dated
      .filter((one) => sign * one.at <= sign * numberOf(at))
      .toSorted((a, b) => sign * (b.at - a.at) || compareKeys(b.keys, a.keys))[0]
    if (!nearest || within === undefined) return nearest?.target ?? null
    return sign * nearest.at >= sign * farthest(at, within, -sign) ? nearest.target : null
  }
}

function compareKeys(a: readonly Value[], b: readonly Value[]): number {
  for (const [at, value] of a.entries()) {
    const order = compare(value, b[at]!)
    if (order !== 0) return order
  }
  return 0
}

/** The farthest time that is near enough. Days of instants have 24 hours. */
function farthest(at: Value, within: string, sign: number): number {
  const [count, unit] = within.split(' ') as [string, string]
  const moved = sign * Number(count)
  const grain = unit.replace(/s$/, '')
  return numberOf(at instanceof Moment ? addTo(new Moment(at.instant ?? at.micros), grain, moved) : addTo(at, grain, moved))
}
