/** A window function as a column of an object, over the rows that the model's filters leave: no condition or path of a query reaches inside. */
import { homeRows } from './bridges.js'
import { innerTest } from './conditions.js'
import { refsOf } from './expressions.js'
import { groupBy } from './group-by.js'
import type { ModelJson, WindowedJson } from './model.js'
import { refuse } from './refusal.js'
import { add, compare, int, keyOfAll, type Value } from './values.js'
import { checkPaths, type Row, readColumn, type World } from './world.js'

const NOW = new Date('2026-01-15T12:00:00Z')

/** The value of the column in a row of its object: NULL for rows that the window does not see. */
export function windowedValue(world: World, object: string, row: Row, name: string): Value {
  return windowedValues(world, object, name).get(keyOfRow(world, object, row)) ?? null
}

const keyOfRow = (world: World, object: string, row: Row): string =>
  keyOfAll(world.things.get(object)!.key.map((column) => row.values[column]!))

/** All its values, by the key; whether they are refused does not depend on rows. A filter that counts only what it leaves itself is refused. */
export function windowedValues(world: World, object: string, name: string): ReadonlyMap<string, Value> {
  const memo = `windowed ${object}.${name}`
  const known = world.memo.get(memo) as ReadonlyMap<string, Value> | 'open' | undefined
  if (known === 'open') return refuse('CYCLIC_FILTER', `${object}.${name}`)
  if (known) return known
  world.memo.set(memo, 'open')
  try {
    const values = valuesByKey(innerWorld(world, object, name), object, world.things.get(object)!.columns.get(name)!.windowed!)
    world.memo.set(memo, values)
    return values
  } catch (error) {
    world.memo.delete(memo)
    throw error
  }
}

/** The world by the model's own paths, without the filters of the object that read the column: these are applied to its result. */
function innerWorld(world: World, object: string, name: string): World {
  const plain = world.with([])
  const open = [...world.memo].filter(([, one]) => one === 'open')
  const filters = (plain.model.filters ?? []).filter(
    (filter) => filter.dataObject !== object || !reads(plain, [object, filter.column], [object, name]),
  )
  return { ...plain, model: { ...plain.model, filters }, memo: new Map(open) }
}

type Place = readonly [object: string, column: string]

/** Whether a column is another one, or is computed from it by expressions and windows. */
function reads(world: World, [object, column]: Place, other: Place): boolean {
  if (object === other[0] && column === other[1]) return true
  const found = world.things.get(object)?.columns.get(column)
  const parts: readonly Place[] = [
    ...(found?.expression ? refsOf(found.expression) : []).map(
      ({ parts: names }): Place => (names.length === 1 ? [object, names[0]!] : [names[0]!, names[1]!]),
    ),
    ...(found?.windowed ? columnsOf(found.windowed) : []).map((one): Place => [object, one]),
  ]
  return parts.some((part) => reads(world, part, other))
}

const columnsOf = ({ partitionBy = [], orderBy = [], column }: WindowedJson): readonly string[] => [
  ...partitionBy,
  ...orderBy,
  ...(column === undefined ? [] : [column]),
]

interface Seen {
  readonly row: Row
  readonly order: readonly Value[]
  readonly ties: readonly Value[]
  readonly value: Value
}

function valuesByKey(world: World, object: string, windowed: WindowedJson): ReadonlyMap<string, Value> {
  const { partitionBy = [], orderBy = [], column, direction, filters = [] } = windowed
  const { key } = world.things.get(object)!
  if (key.length === 0) refuse('KEY_REQUIRED', object)
  for (const read of columnsOf(windowed)) checkPaths(world, object, { kind: 'ref', parts: [read] })
  const isSeen = innerTest({ world, now: NOW, home: object, asked: [] }, object, filters)
  const at = (row: Row, name: string): Value => readColumn(world, object, row, name)
  const rows = homeRows(world, object)
    .filter(isSeen)
    .map((row): Seen & { readonly part: string } => ({
      row,
      part: keyOfAll(partitionBy.map((name) => at(row, name))),
      order: orderBy.map((name) => at(row, name)),
      ties: key.map((name) => at(row, name)),
      value: column === undefined ? int(1) : at(row, column),
    }))
  const values = new Map<string, Value>()
  for (const part of groupBy(rows, (one) => one.part).values()) {
    const sorted = part.toSorted((a, b) => inOrder(a.order, b.order, direction === 'desc') || inOrder(a.ties, b.ties, false))
    sorted.forEach((one, i) => void values.set(keyOfRow(world, object, one.row), valueAt(windowed, sorted, i)))
  }
  return values
}

const inOrder = (a: readonly Value[], b: readonly Value[], descending: boolean): number =>
  a.map((value, i) => nullsLast(value, b[i]!, descending)).find((difference) => difference !== 0) ?? 0

function nullsLast(a: Value, b: Value, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return descending ? compare(b, a) : compare(a, b)
}

function valueAt({ function: name, offset = 1 }: WindowedJson, sorted: readonly Seen[], at: number): Value {
  const upToHere = sorted.slice(0, at + 1)
  const orderOf = ({ order }: Seen): string => keyOfAll(order)
  switch (name) {
    case 'row_number':
      return int(at + 1)
    case 'rank':
      return int(sorted.findIndex((one) => orderOf(one) === orderOf(sorted[at]!)) + 1)
    case 'dense_rank':
      return int(new Set(upToHere.map(orderOf)).size)
    case 'lag':
      return sorted[at - offset]?.value ?? null
    case 'lead':
      return sorted[at + offset]?.value ?? null
    case 'first_value':
      return sorted[0]!.value
    case 'last_value':
      return sorted.at(-1)!.value
    case 'count':
      return int(upToHere.filter(({ value }) => value !== null).length)
    case 'sum': {
      const present = upToHere.map(({ value }) => value).filter((value) => value !== null)
      return present.length === 0 ? null : present.reduce<Value>(add, int(0))
    }
  }
}

/** The windows that are columns of a model. */
export const windowedColumns = ({ dataObjects }: ModelJson) =>
  Object.entries(dataObjects).flatMap(([dataObject, { columns }]) =>
    Object.entries(columns).flatMap(([column, c]) => (c.window === undefined ? [] : [{ dataObject, column, definition: c }])),
  )
