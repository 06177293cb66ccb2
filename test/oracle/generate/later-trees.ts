/** Objects whose rows name a row above them, with the closures of their trees. */
import { closureColumns } from '../closures.js'
import type { Cell, ColumnJson, DimensionJson, JoinJson, ModelJson, ObjectJson, PlainRow, Tables } from '../model.js'
import { kindOf } from '../world.js'
import type { Random } from './random.js'

interface Ground {
  readonly model: ModelJson
  readonly data: Tables
}

/** One or two objects become trees. */
export function withTrees(random: Random, model: ModelJson, data: Tables): Ground {
  return random
    .some(targetsOf(model), random.chance(0.2) ? 2 : 1)
    .reduce((ground, name) => withTree(random, ground, name), { model, data })
}

/** Tables of their own with one key column. */
const targetsOf = ({ dataObjects }: ModelJson): readonly string[] =>
  Object.entries(dataObjects).flatMap(([name, { columns, nestedIn, bridge, calendar }]) => {
    const keys = Object.values(columns).filter(({ primaryKey }) => primaryKey)
    return keys.length === 1 && (nestedIn ?? bridge ?? calendar) === undefined ? [name] : []
  })

const KEYS = ['a', 'A', 'a ', 'ä', 'Ä', 'b', '', 'ß', 'ss', '%', "o'k"]

function withTree(random: Random, { model, data }: Ground, name: string): Ground {
  const isText = random.chance(0.3)
  const [key, parent] = isText ? ['sign', 'above sign'] : ['id', 'above']
  const rows = treeOf(random, isText ? signed(random, data[name]!) : data[name]!, key, parent)
  const columns: Record<string, ColumnJson> = isText
    ? { sign: { code: 'sign', abstractType: 'string' }, [parent]: { code: 'above_sign', abstractType: 'string' } }
    : { [parent]: { code: 'above', abstractType: 'int' } }
  const own = model.dataObjects[name]!
  const node: ObjectJson = { ...own, columns: { ...own.columns, ...columns }, ...(isText && { uniqueKeys: [[key]] }) }
  const tree = `${name} Tree`
  const upper = random.chance(0.4) ? `Upper ${name}` : undefined
  const abstractType = isText ? 'string' : 'int'
  const closure: ObjectJson = {
    code: '',
    closure: { dataObject: name, key, parent, maxDepth: random.chance(0.3) ? Math.max(1, greatestDepth(rows, key, parent)) : 64 },
    bridge: true,
    countable: true,
    columns: closureColumns({ abstractType }),
    joins: joinsOf(random, { name, key, upper }),
  }
  const dataObjects = {
    ...model.dataObjects,
    [name]: node,
    ...(upper !== undefined && { [upper]: twinOf(node) }),
    [tree]: closure,
  }
  return {
    model: {
      ...model,
      dataObjects,
      dimensions: { ...model.dimensions, ...dimensionsOf(random, dataObjects, [tree, ...(upper ? [upper] : [])]) },
    },
    data: {
      ...data,
      [name]: rows,
      ...(upper !== undefined && { [upper]: rows.map((row) => storedOf(row, dataObjects[upper]!)) }),
    },
  }
}

interface Ends {
  readonly name: string
  readonly key: string
  readonly upper: string | undefined
}

/** Mostly as without any: what hangs below a row counts for it. With a second object on the table, the row above is that of this one. */
function joinsOf(random: Random, { name, key, upper }: Ends): readonly JoinJson[] {
  const to = (joinTo: string, end: string, more: Partial<JoinJson> = {}): JoinJson => ({
    joinType: 'many-to-one',
    joinTo,
    columnsFrom: [end],
    columnsTo: [key],
    ...more,
  })
  const secondary = { secondary: true, pathName: 'ancestor' }
  if (upper !== undefined) return [to(name, 'Descendant'), to(upper, 'Ancestor')]
  return random.chance(0.15)
    ? [to(name, 'Ancestor'), to(name, 'Descendant', secondary)]
    : [to(name, 'Descendant'), to(name, 'Ancestor', secondary)]
}

/** A copy of the table, whose columns are all stored values. */
function twinOf({ code, columns, joins: _joins, ...object }: ObjectJson): ObjectJson {
  const stored = Object.entries(columns).filter(([, column]) => column.code !== undefined && column.abstractType !== 'json')
  return { ...object, code: `upper ${code}`, columns: Object.fromEntries(stored) }
}

const storedOf = (row: PlainRow, { columns }: ObjectJson): PlainRow =>
  Object.fromEntries(Object.entries(row).filter(([name]) => columns[name] !== undefined))

/** Texts that some engines take for equal, and rows without one. */
const signed = (random: Random, rows: readonly PlainRow[]): readonly PlainRow[] => {
  const signs = random.some(KEYS, KEYS.length)
  return rows.map((row, i) => ({ ...row, sign: random.chance(0.1) ? null : (signs[i] ?? `key ${i}`) }))
}

/** A chain, a forest without circles, or any row above any: circles, rows above themselves, parents that are no rows, and none. */
function treeOf(random: Random, rows: readonly PlainRow[], key: string, parent: string): readonly PlainRow[] {
  const shape = random.pick(['chain', 'forest', 'any', 'any'])
  const keys = rows.map((row) => row[key] as Cell)
  const above = (i: number): Cell => {
    if (shape === 'chain')
      return i === 0 ? random.pick([null, keys[0]!, keys.at(-1)!]) : random.chance(0.06) ? missing(keys) : keys[i - 1]!
    if (random.chance(0.15)) return random.chance(0.5) ? null : missing(keys)
    if (shape === 'forest') return i === 0 ? null : random.pick(keys.slice(0, i))
    return random.pick(keys)
  }
  return rows.map((row, i) => ({ ...row, [parent]: above(i) }))
}

const missing = ([first]: readonly Cell[]): Cell => (typeof first === 'number' ? 99 : 'none')

/** Trees whose limit allows the depth that they have after rows were added, which may hang below rows of a circle. */
export function withDepths(model: ModelJson, data: Tables): ModelJson {
  const objects = Object.entries(model.dataObjects)
  if (!objects.some(([, { closure }]) => closure)) return model
  const deep = objects.map(([name, object]): [string, ObjectJson] => {
    const { closure } = object
    if (!closure) return [name, object]
    const depth = greatestDepth(data[closure.dataObject]!, closure.key, closure.parent)
    return [name, { ...object, closure: { ...closure, maxDepth: Math.max(closure.maxDepth ?? 64, depth) } }]
  })
  return { ...model, dataObjects: Object.fromEntries(deep) }
}

function greatestDepth(rows: readonly PlainRow[], key: string, parent: string): number {
  const parents = new Map(rows.flatMap((row) => (row[key] === null ? [] : [[row[key] as Cell, row[parent] as Cell]])))
  const depth = (at: Cell): number => {
    const seen = new Set([at])
    for (
      let next = parents.get(at);
      next !== undefined && next !== null && parents.has(next) && !seen.has(next);
      next = parents.get(next)
    )
      seen.add(next)
    return seen.size - 1
  }
  return Math.max(0, ...[...parents.keys()].map(depth))
}

function dimensionsOf(
  random: Random,
  objects: ModelJson['dataObjects'],
  names: readonly string[],
): Record<string, DimensionJson> {
  const all = names.flatMap((dataObject) =>
    Object.entries(objects[dataObject]!.columns).flatMap(([column, definition]): [string, DimensionJson][] => {
      if (definition.abstractType === 'json') return []
      const resultType = kindOf(definition) === 'decimal' ? 'float' : definition.abstractType
      return [[`${dataObject} ${column}`, { dataObject, column, resultType }]]
    }),
  )
  return Object.fromEntries(random.some(all, Math.min(all.length, random.between(2, 5))))
}
