/** The order of the values of a dimension: their own, that of their bins, or that of another column of their object. */
import { placeOf } from './bins.js'
import { homeRows } from './bridges.js'
import { dimensionField } from './fields.js'
import type { DimensionJson } from './model.js'
import { compare, keyOf, type Value } from './values.js'
import { type Row, readColumn, type World } from './world.js'

/** The sort keys of a value: the least value of the other column, if there is one, then the value. */
export function placesOf(world: World, definition: DimensionJson, grain: string | undefined): (value: Value) => readonly Value[] {
  const { sortBy, dataObject, bins } = definition
  if (sortBy === undefined || grain !== undefined) return (value) => [placeOf(value, bins)]
  let least: ReadonlyMap<string, Value> | undefined
  return (value) => {
    least ??= leastBy(
      world,
      dataObject,
      (row) => [valueIn(world, definition, row)],
      (row) => readColumn(world, dataObject, row, sortBy),
    )
    return [least.get(keyOf(value)) ?? null, value]
  }
}

/** The value of a dimension in a row of its own object, whatever leads to it elsewhere. */
export function valueIn(world: World, { via: _, ...definition }: DimensionJson, row: Row): Value {
  return dimensionField(world, definition, definition.timeGrain).value([row])
}

/** The least value of a column by other values of the same rows; rows that lack one of these are left out. */
export function leastBy(
  world: World,
  object: string,
  keysOf: (row: Row) => readonly Value[],
  read: (row: Row) => Value,
): ReadonlyMap<string, Value> {
  const least = new Map<string, Value>()
  for (const row of homeRows(world, object)) {
    const keys = keysOf(row)
    const value = read(row)
    if (keys.includes(null) || value === null) continue
    const key = keys.map(keyOf).join(' ')
    const known = least.get(key)
    if (known === undefined || compare(value, known as NonNullable<Value>) < 0) least.set(key, value)
  }
  return least
}

/** Whether the members of a coalesce show the same column in the same order. */
export function isOneSort({ model }: World, members: readonly string[], grain: string | undefined): boolean {
  if (grain !== undefined) return false
  const shown = members.map((name) => {
    const { dataObject, column, expression, sortBy, timeGrain } = model.dimensions![name]!
    return sortBy === undefined || timeGrain !== undefined ? name : JSON.stringify([dataObject, column, expression, sortBy])
  })
  return shown.every((one) => one === shown[0]) && model.dimensions![members[0]!]!.sortBy !== undefined
}
