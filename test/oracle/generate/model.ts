/** Models: a random layered graph gives stars, snowflakes, shared dimensions, bridges, chains and diamonds. */
import type { ColumnAddress, ColumnJson, DimensionJson, JoinJson, ModelJson, ObjectJson, StaticFilterJson } from '../model.js'
import { kindOf } from '../world.js'
import { filterLeaf } from './filters.js'
import { addBridges } from './later-bridges.js'
import { addElements } from './later-nested.js'
import { addWays } from './later-ways.js'
import { addresses, generateMeasures } from './measures.js'
import { generateMetrics } from './metrics.js'
import type { Random } from './random.js'

const NAMES = ['Regions', 'Customers', 'Promo Codes', 'Orders', 'Items', 'Returns'] as const
const CODES = ['regions', 'customers', 'Promo Codes', 'orders', 'select', 'returns'] as const

export type Draft = {
  columns: Record<string, ColumnJson>
  joins: JoinJson[]
  code: string
  nestedIn?: ColumnAddress
  bridge?: boolean
  weight?: string
}

/** Attributes that an object may have, by name. */
export const ATTRIBUTES: Readonly<Record<string, ColumnJson>> = {
  name: { code: 'name', abstractType: 'string' },
  qty: { code: 'c qty', abstractType: 'int' },
  price: { code: 'price', abstractType: 'float', sqlType: 'DECIMAL(10,2)' },
  ratio: { code: 'ratio', abstractType: 'float' },
  day: { code: 'on_day', abstractType: 'date' },
  at: { code: 'at', abstractType: 'timestamp' },
  flag: { code: 'flag', abstractType: 'boolean' },
}

/** What the graph of a model has beyond many-to-one joins. */
export interface Shape {
  /** Arrays, and objects whose rows are their elements. */
  readonly nested?: boolean
  /** Several paths between objects, companions, self-joins. */
  readonly ways?: boolean
  /** Declared bridge tables; with `floats` some of them have double weights. */
  readonly bridges?: 'exact' | 'floats' | undefined
}

export function generateModel(random: Random, { nested, ways, bridges }: Shape = {}): ModelJson {
  const drafts = draftObjects(random)
  if (ways) addWays(random, drafts)
  if (bridges) addBridges(random, drafts, bridges === 'floats')
  if (nested) addElements(random, drafts)
  const dataObjects: Record<string, ObjectJson> = Object.fromEntries(
    [...drafts].map(([name, { joins, ...draft }]) => [name, { ...draft, ...(joins.length > 0 && { joins }) }]),
  )
  const dimensions = generateDimensions(random, dataObjects, ways ? farVia : nearVia)
  const filters = random.chance(0.25) ? staticFilters(random, dataObjects) : []
  const measures = generateMeasures(random, dataObjects)
  const metrics = generateMetrics(random, dataObjects, measures)
  const settings = {
    ...(random.chance(0.3) && { weekStart: 'sunday' as const }),
    ...(random.chance(0.08) && { defaultNumericDataType: 'decimal(18, 2)' }),
  }
  return {
    version: 1,
    name: 'generated',
    ...(Object.keys(settings).length > 0 && { settings }),
    dataObjects,
    dimensions,
    measures,
    ...(Object.keys(metrics).length > 0 && { metrics }),
    ...(filters.length > 0 && { filters }),
  }
}

function draftObjects(random: Random): Map<string, Draft> {
  const count = random.between(2, NAMES.length)
  const drafts = new Map<string, Draft>()
  for (let i = 0; i < count; i++) {
    const earlier = [...drafts.keys()]
    const draft: Draft = { code: CODES[i]!, columns: keyColumns(random), joins: [] }
    for (const name of random.some(Object.keys(ATTRIBUTES), random.between(1, 4))) draft.columns[name] = ATTRIBUTES[name]!
    addComputed(random, draft)
    const parents = random.some(earlier, random.chance(0.1) ? 0 : random.chance(0.3) ? 2 : 1)
    for (const parent of parents)
      join(random, draft, parent, drafts.get(parent)!, parents.length === 1 && !hasOneToOne(drafts) && random.chance(0.15))
    drafts.set(NAMES[i]!, draft)
  }
  if (random.chance(0.35)) manyToMany(random, drafts)
  for (const draft of drafts.values()) if (random.chance(0.12)) crossComputed(random, draft, drafts)
  return drafts
}

export const hasOneToOne = (drafts: ReadonlyMap<string, Draft>): boolean =>
  [...drafts.values()].some((d) => d.joins.some((j) => j.joinType === 'one-to-one'))

function keyColumns(random: Random): Record<string, ColumnJson> {
  const primaryKey = !random.chance(0.06)
  const id: ColumnJson = { code: 'id', abstractType: 'int', ...(primaryKey && { primaryKey }) }
  return random.chance(0.15) ? { id, part: { code: 'part', abstractType: 'string', ...(primaryKey && { primaryKey }) } } : { id }
}

/** A join to an earlier object on its key columns; sometimes one-to-one, required, or with a secondary join beside it. */
export function join(random: Random, draft: Draft, parent: string, target: Draft, oneToOne: boolean): void {
  const columnsTo = Object.keys(target.columns).filter((c) => c === 'id' || c === 'part')
  const link = (prefix: string): string[] =>
    columnsTo.map((c) => {
      const name = `${prefix}${parent}_${c}`
      draft.columns[name] = { code: name.toLowerCase().replace(' ', '_'), abstractType: target.columns[c]!.abstractType }
      return name
    })
  const joinType = oneToOne ? 'one-to-one' : 'many-to-one'
  draft.joins.push({
    joinType,
    joinTo: parent,
    columnsFrom: link('to_'),
    columnsTo,
    ...(random.chance(0.1) && { required: true }),
  })
  if (!oneToOne && random.chance(0.12)) {
    draft.joins.push({ joinType, joinTo: parent, columnsFrom: link('alt_'), columnsTo, secondary: true, pathName: 'alt' })
  }
}

function manyToMany(random: Random, drafts: Map<string, Draft>): void {
  const [b, a] = random
    .some([...drafts.keys()], 2)
    .toSorted((x, y) => [...drafts.keys()].indexOf(x) - [...drafts.keys()].indexOf(y)) as [string, string]
  if (hasOneToOne(drafts)) return
  if (drafts.get(a)!.joins.some((j) => j.joinTo === b) || drafts.get(b)!.joins.some((j) => j.joinTo === a)) return
  drafts.get(a)!.columns['tag'] = { code: 'tag', abstractType: 'int' }
  drafts.get(b)!.columns['mark'] = { code: 'mark', abstractType: 'int' }
  drafts.get(a)!.joins.push({ joinType: 'many-to-many', joinTo: b, columnsFrom: ['tag'], columnsTo: ['mark'] })
}

export function addComputed(random: Random, { columns }: Draft): void {
  if ('qty' in columns && random.chance(0.3)) columns['twice'] = { expression: '{qty} * 2 + 1', abstractType: 'int' }
  if ('qty' in columns && random.chance(0.25)) {
    columns['band'] = {
      expression: "CASE WHEN {qty} > 3 THEN 'high' WHEN {qty} <= 3 AND NOT {qty} = 0 THEN 'low' ELSE 'none' END",
      abstractType: 'string',
    }
  }
  if ('name' in columns && random.chance(0.25))
    columns['label'] = { expression: "coalesce({name}, 'nobody')", abstractType: 'string' }
  if ('twice' in columns && random.chance(0.5)) columns['half'] = { expression: '{twice} / {qty}', abstractType: 'float' }
}

/** A computed column that reads a column of a parent. */
function crossComputed(random: Random, draft: Draft, drafts: ReadonlyMap<string, Draft>): void {
  const parents = draft.joins.filter(
    (j) => j.joinType === 'many-to-one' && !j.secondary && 'qty' in drafts.get(j.joinTo)!.columns,
  )
  if (parents.length === 0 || !('qty' in draft.columns)) return
  const { joinTo } = random.pick(parents)
  draft.columns['more'] = { expression: `{qty} + coalesce({[${joinTo}].[qty]}, 100)`, abstractType: 'int' }
}

/** Draws the object that a path to a dimension on `dataObject` must pass, if it must pass one. */
type DrawVia = (random: Random, objects: ModelJson['dataObjects'], dataObject: string) => string | undefined

function generateDimensions(random: Random, objects: ModelJson['dataObjects'], drawVia: DrawVia): Record<string, DimensionJson> {
  const dimensions: Record<string, DimensionJson> = {}
  for (const [dataObject, { columns }] of Object.entries(objects)) {
    for (const [column, definition] of Object.entries(columns)) {
      if (definition.abstractType === 'json') continue
      if (/^(to_|alt_|tag|mark|share)/.test(column) || (column === 'id' && random.chance(0.7))) continue
      const via = drawVia(random, objects, dataObject)
      const temporal = definition.abstractType === 'date' || definition.abstractType === 'timestamp'
      const timeGrain = temporal && random.chance(0.4) ? random.pick(['day', 'week', 'month', 'quarter', 'year']) : undefined
      dimensions[`${dataObject} ${column}`] = {
        dataObject,
        column,
        resultType: kindOf(definition) === 'decimal' ? 'float' : definition.abstractType,
        ...(timeGrain !== undefined && { timeGrain }),
        ...(via !== undefined && { via }),
      }
    }
  }
  return dimensions
}

/** Seldom one, with a direct join to `dataObject`. */
const nearVia: DrawVia = (random, objects, dataObject) => {
  if (!random.chance(0.12)) return undefined
  const above = joining(objects, dataObject)
  return above.length === 0 ? undefined : random.pick(above)
}

/** Often one, of all objects that reach `dataObject`: homes and bridges are on all sides of it. */
const farVia: DrawVia = (random, objects, dataObject) => {
  if (!random.chance(0.4)) return undefined
  const above = new Set(joining(objects, dataObject))
  for (const at of above) for (const next of joining(objects, at)) above.add(next)
  return above.size === 0 ? undefined : random.pick([...above])
}

const joining = (objects: ModelJson['dataObjects'], dataObject: string): string[] =>
  Object.entries(objects).flatMap(([name, o]) =>
    (o.joins ?? []).some((j) => j.joinTo === dataObject && j.joinType === 'many-to-one' && !j.secondary) ? [name] : [],
  )

export function staticFilters(random: Random, objects: ModelJson['dataObjects']): StaticFilterJson[] {
  return random.some(Object.keys(objects), random.between(1, 2)).map((dataObject) => {
    const { column, kind } = random.pick(addresses(objects, dataObject))
    const { op, value } = filterLeaf(random, '', kind, true)
    return { dataObject, column, operator: op, ...(Array.isArray(value) ? { values: value } : value !== undefined && { value }) }
  })
}
