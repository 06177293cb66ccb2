/** Semi-additive measures: values per time and entity; one value is taken for each entity, and these are summed. */
import { aggregate } from './aggregates.js'
import type { Group, TupleRows } from './atoms.js'
import { type Asked, askedDimension } from './fields.js'
import { groupBy } from './group-by.js'
import type { SemiAdditiveJson } from './model.js'
import { add, compare, type Dec, int, keyOfAll, toDouble, type Value } from './values.js'
import type { World } from './world.js'

/** The grouping of the rows within a group: the time, then the entities, at their declared grains. */
export const balanceDimensions = (world: World, { timeDimension, per = [] }: SemiAdditiveJson): readonly Asked[] =>
  [timeDimension, ...per].map((name) => askedDimension(world, name))

/** The value of an entity at a time. */
interface Reading {
  readonly time: Value
  readonly entity: readonly Value[]
  readonly value: Value
}

/** `rows` by tuple, time and entity; the first `width` values are the tuple. */
export function balances(
  { take }: SemiAdditiveJson,
  counts: boolean,
  width: number,
  rows: readonly TupleRows[],
  measured: (group: TupleRows) => Value,
): ReadonlyMap<string, Group> {
  const timed = rows.filter((r) => r.tuple[width] !== null)
  const groups = groupBy(timed, (r) => keyOfAll(r.tuple.slice(0, width)))
  return new Map(
    [...groups].map(([key, members]) => {
      const readings = members.map((group): Reading => {
        return { time: group.tuple[width]!, entity: group.tuple.slice(width + 1), value: measured(group) }
      })
      return [key, { tuple: members[0]!.tuple.slice(0, width), value: balance(take, counts, readings) }] as const
    }),
  )
}

function balance(take: SemiAdditiveJson['take'], counts: boolean, readings: readonly Reading[]): Value {
  const entities = [...groupBy(readings, (r) => keyOfAll(r.entity)).values()]
  const taken = entities.map((of) => taking(take, of)).filter((v) => v !== null)
  if (taken.length > 0) return taken.reduce<Value>(add, int(0))
  return counts ? (take === 'avg' ? 0 : int(0)) : null
}

function taking(take: SemiAdditiveJson['take'], readings: readonly Reading[]): Value {
  const sorted = readings.toSorted((a, b) => compare(a.time, b.time))
  if (take === 'first') return sorted[0]!.value
  if (take === 'last') return sorted.at(-1)!.value
  const folded = aggregate(
    { name: take, distinct: false, delimiter: '' },
    sorted.map((r) => [r.value]),
  )
  return take === 'avg' && folded !== null ? toDouble(folded as Dec | number) : folded
}
