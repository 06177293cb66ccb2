/** The time dimension of a metric at a level: its grain in use, and the level with that dimension bucketed so. */
import { truncate } from './calendar.js'
import { type Asked, askedDimension } from './fields.js'
import { type Level, levelOf, type Tuple } from './levels.js'
import type { FilterJson } from './model.js'
import type { Day, Moment } from './values.js'

export interface TimeAxis {
  /** Its position in the level's dimensions. */
  readonly at: number
  readonly grain: string
  /** The dimension at that grain. */
  readonly dimension: Asked
}

/** Undefined where the level has no such dimension. */
export function timeAxis(level: Level, name: string, fallback: string | undefined): TimeAxis | undefined {
  const at = level.dimensions.findIndex((d) => d.name === name)
  if (at < 0) return undefined
  const { grain } = level.dimensions[at]!
  const inUse = grain ?? fallback ?? 'day'
  return { at, grain: inUse, dimension: askedDimension(level.world, `${name}:${inUse}`) }
}

/** The period that a row lies in; null where it has no time. */
export const periodOf = (level: Level, axis: TimeAxis, tuple: Tuple): Day | Moment | null =>
  truncate(axis.grain, tuple[axis.at]!, level.world.weekStart) as Day | Moment | null

export const sameButBy = (level: Level, dimensions: readonly Asked[], where: readonly (FilterJson | undefined)[]): Level =>
  levelOf({ ...level, dimensions, where })
