/**
 * Rows that respect the declared keys and cardinalities and violate everything else: missing parents, NULL references, duplicates, empty
 * tables.
 */
import type { Cell, ColumnJson, Elements, JoinJson, ModelJson, NoList, ObjectJson, Tables } from '../model.js'
import { LABELS, type Storage, storageOf } from '../storage.js'
import { kindOf } from '../world.js'
import { DAYS, INTS, MOMENTS, type OddTimes, PRICES, RATIOS, REALS, STRINGS, UUIDS, WEIGHTS } from './pools.js'
import type { Random } from './random.js'

type Draft = Record<string, Cell | Elements | NoList>

/** `odd`: also with these times, and with dates that mean "never". */
export function generateData(random: Random, model: ModelJson, odd?: OddTimes): Tables {
  const tables: Record<string, Draft[]> = {}
  for (const [name, object] of Object.entries(model.dataObjects))
    if (!object.nestedIn) tables[name] = rowsOf(random, object, tables, odd)
  for (const [name, rows] of Object.entries(tables))
    for (const [column, elements] of arraysOf(model, name))
      for (const row of rows) row[column] = elementsOf(random, model, elements, tables, odd)
  return tables
}

/** The array columns of an object, and the objects of their elements. */
export const arraysOf = (model: ModelJson, name: string): (readonly [column: string, elements: string])[] =>
  Object.entries(model.dataObjects).flatMap(([elements, { nestedIn }]) =>
    nestedIn?.dataObject === name ? [[nestedIn.column, elements]] : [],
  )

/** JSON that is no array. */
const NO_LISTS: readonly (Cell | NoList)[] = [{}, { qty: 2 }, 'x', '', '[', 5, true]

/** Elements that have no fields; all but the first only in JSON. */
const NO_OBJECTS: readonly (Cell | NoList)[] = [null, 5, 'x', '{}', '[', true]

/** NULL, empty, no array at all, and elements without fields. */
function elementsOf(
  random: Random,
  model: ModelJson,
  name: string,
  tables: Tables,
  odd: OddTimes | undefined,
): Elements | Cell | NoList {
  if (random.chance(0.12)) return null
  if (isJson(model, name) && random.chance(0.15)) return random.pick(NO_LISTS)
  const { columns, joins = [] } = model.dataObjects[name]!
  const stored = storedOf(columns).filter(([, c]) => c.code !== '#')
  const rows = Array.from(
    { length: random.between(0, 4) },
    (): Draft => Object.fromEntries(stored.map(([n, column]) => [n, attribute(random, column, odd)])),
  )
  for (const join of joins) linkRows(random, join, rows, tables[join.joinTo]!)
  return rows.map((row, i) => {
    const [first] = stored
    const isValue = first?.[1].code === '*'
    if (random.chance(0.08)) return !isValue && isJson(model, name) ? NO_OBJECTS[(i + rows.length) % NO_OBJECTS.length]! : null
    if (isValue) return row[first[0]] as Cell
    const inner = arraysOf(model, name).map(([column, elements]) => [
      columns[column]!.code!,
      elementsOf(random, model, elements, tables, odd),
    ])
    return Object.fromEntries([...stored.map(([n, { code }]) => [code!, row[n]]), ...inner])
  })
}

/** Whether the elements are those of an array in JSON, declared for the outermost array. */
function isJson(model: ModelJson, name: string): boolean {
  const { nestedIn } = model.dataObjects[name]!
  if (!nestedIn) return false
  return (
    model.dataObjects[nestedIn.dataObject]!.columns[nestedIn.column]!.sqlType === 'json' || isJson(model, nestedIn.dataObject)
  )
}

const storedOf = (columns: ObjectJson['columns']) =>
  Object.entries(columns).filter(([, c]) => c.code !== undefined && c.abstractType !== 'json')

function rowsOf(random: Random, object: ObjectJson, parents: Tables, odd: OddTimes | undefined): Draft[] {
  const count = random.chance(0.06) ? 0 : random.between(2, 10)
  const columns = storedOf(object.columns)
  const rows = Array.from({ length: count }, (_, i) =>
    Object.fromEntries(
      columns.map(([name, column]) => [
        name,
        name === 'id' || name === 'part' ? keyValue(name, i, 'part' in object.columns) : attribute(random, column, odd),
      ]),
    ),
  )
  // A join to no earlier table is a join to these rows themselves.
  for (const join of object.joins ?? [])
    if (join.joinType !== 'many-to-many') linkRows(random, join, rows, parents[join.joinTo] ?? rows)
  if (object.weight !== undefined) for (const row of rows) row[object.weight] = weight(random, object.columns[object.weight]!)
  return rows
}

/** Composite keys repeat each part, so that only both together are a key. */
function keyValue(name: string, index: number, composite: boolean): number | string {
  if (!composite) return index + 1
  return name === 'id' ? Math.floor(index / 2) + 1 : index % 2 === 0 ? 'x' : 'y'
}

/** References to existing rows mostly, to missing ones and NULL sometimes; never twice to one row of a one-to-one join. */
function linkRows(random: Random, join: JoinJson, rows: Draft[], parents: Tables[string]): void {
  const free = [...parents]
  for (const row of rows) {
    const parent = free.length > 0 && random.chance(0.78) ? random.pick(free) : undefined
    if (parent && join.joinType === 'one-to-one') free.splice(free.indexOf(parent), 1)
    const missing = parent === undefined && join.joinType !== 'one-to-one' && random.chance(0.4)
    join.columnsFrom.forEach((column, i) => {
      const to = join.columnsTo[i]!
      row[column] = parent ? parent[to]! : missing ? (to === 'id' ? 99 : 'x') : null
    })
    if (parent && join.columnsFrom.length > 1 && random.chance(0.1)) row[join.columnsFrom[0]!] = null
  }
}

/** Some add up to one for each row on the other side, most do not. */
function weight(random: Random, column: ColumnJson): Cell {
  if (random.chance(0.1)) return null
  const picked = random.pick(WEIGHTS)
  const kind = kindOf(column)
  return kind === 'int' ? Math.round(Number(picked) * 2) : kind === 'decimal' ? picked : Number(picked)
}

/** Small numbers, and one that overflows sixteen bits when it is multiplied. */
function storedValue(random: Random, storage: Storage): Cell {
  switch (storage) {
    case 'smallint':
      return random.chance(0.1) ? 30_000 : random.pick(INTS)
    case 'integer':
      return random.chance(0.1) ? 2_000_000_000 : random.pick(INTS)
    case 'real':
      return random.pick(REALS)
    case 'numeric':
      return random.pick(RATIOS)
    case 'uuid':
      return random.pick(UUIDS)
    case 'enum':
      return random.pick(LABELS)
    case 'nocase':
      return random.pick(STRINGS)
    case 'moment':
      return random.pick(MOMENTS)
    case 'instant':
      return random.pick(MOMENTS)
    case 'letter':
    case 'digit':
      return random.chance(0.5)
  }
}

function attribute(random: Random, column: ColumnJson, odd: OddTimes | undefined): Cell {
  if (random.chance(0.18)) return null
  const stored = storageOf(column)
  if (stored) return storedValue(random, stored.storage)
  switch (kindOf(column)) {
    case 'string':
      return random.pick(STRINGS)
    case 'int':
      return random.chance(0.02) ? 1000003 : random.pick(INTS)
    case 'decimal':
      return random.pick(PRICES)
    case 'float':
      return random.pick(RATIOS)
    case 'date':
      return random.pick(odd ? [...DAYS, ...odd.days, ...(odd.farDays ?? [])] : DAYS)
    case 'timestamp': {
      if (!odd || random.chance(0.2)) return random.pick(MOMENTS)
      const isInstant = column.abstractType === 'timestamp_tz'
      const far = isInstant ? odd.farInstants : odd.farTimes
      if (far && random.chance(0.1)) return random.pick(far)
      return random.pick(isInstant ? odd.instants : odd.hours)
    }
    case 'boolean':
      return random.chance(0.5)
  }
}
