/** Rows that keep the declared keys and cardinalities and break everything else: missing parents, NULL links, duplicates, empty tables. */
import type { ColumnJson, JoinJson, ModelJson, ObjectJson, PlainRow, Tables } from '../model.js'
import { kindOf } from '../world.js'
import { DAYS, INTS, MOMENTS, PRICES, RATIOS, STRINGS } from './pools.js'
import type { Random } from './random.js'

export function generateData(random: Random, model: ModelJson): Tables {
  const tables: Record<string, PlainRow[]> = {}
  for (const [name, object] of Object.entries(model.dataObjects)) tables[name] = rowsOf(random, object, tables)
  return tables
}

function rowsOf(random: Random, object: ObjectJson, parents: Tables): PlainRow[] {
  const count = random.chance(0.06) ? 0 : random.between(2, 10)
  const columns = Object.entries(object.columns).filter(([, c]) => c.expression === undefined)
  const rows = Array.from({ length: count }, (_, i) =>
    Object.fromEntries(
      columns.map(([name, column]) => [
        name,
        name === 'id' || name === 'part' ? keyValue(name, i, 'part' in object.columns) : attribute(random, column),
      ]),
    ),
  )
  for (const join of object.joins ?? []) if (join.joinType !== 'many-to-many') linkRows(random, join, rows, parents[join.joinTo]!)
  return rows
}

/** Composite keys repeat each part, so that only both together are a key. */
function keyValue(name: string, index: number, composite: boolean): number | string {
  if (!composite) return index + 1
  return name === 'id' ? Math.floor(index / 2) + 1 : index % 2 === 0 ? 'x' : 'y'
}

/** Links to present rows mostly, to missing ones and to nothing sometimes; never twice to one row of a one-to-one join. */
function linkRows(random: Random, join: JoinJson, rows: Record<string, PlainRow[string]>[], parents: readonly PlainRow[]): void {
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

function attribute(random: Random, column: ColumnJson): PlainRow[string] {
  if (random.chance(0.18)) return null
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
      return random.pick(DAYS)
    case 'timestamp':
      return random.pick(MOMENTS)
    case 'boolean':
      return random.chance(0.5)
  }
}
