/** Semantic models → data objects with their joins, and dimensions. */
import { assumedTypes, type Draft, type Entry, LeftOut } from './draft.js'
import { homesOf, ownersOf } from './homes.js'
import { isPartitioned, type ModelObject, type Objects, partitionsOf } from './model-object.js'
import { Refused } from './part.js'
import type { Dimension, Entity, Project, SemanticModel } from './project.js'
import { columnOf, modelExpression, type Use } from './sql-expression.js'
import { sameType } from './view/objects.js'

export async function objectsOf(project: Project, draft: Draft): Promise<Objects> {
  const byName = new Map<string, ModelObject>()
  for (const model of project.models) byName.set(model.name, await objectOf(model, draft))
  const objects = [...byName.values()]
  const homes = homesOf(objects)
  for (const object of objects) joinsOf(object, homes, draft)
  for (const object of objects) entityDimensions(object, homes, draft)
  return { byName, homes, owners: ownersOf(objects, homes) }
}

async function objectOf(model: SemanticModel, draft: Draft): Promise<ModelObject> {
  const { name, part, relation, description } = model
  const object: ModelObject = { model, name, columns: {}, entities: new Map(), dimensions: new Map(), assumed: new Set() }
  const entry: Entry = {
    code: relation.code,
    ...(relation.schema !== undefined && { schema: relation.schema }),
    ...(relation.database !== undefined && { database: relation.database }),
    ...(description && { description }),
    countable: false,
    columns: object.columns,
  }
  draft.add('dataObjects', name, entry, part.place)
  for (const entity of model.entities) {
    await draft.attempt(`The entity '${entity.name}' of '${name}'`, entity.part.place, () => addEntity(entity, object))
  }
  for (const dimension of model.dimensions) {
    await draft.attempt(`The dimension '${dimension.name}' of '${name}'`, dimension.part.place, () =>
      addDimension(dimension, object, draft),
    )
  }
  const { defaultTime } = model
  if (defaultTime !== undefined && object.dimensions.has(defaultTime))
    draft.lose('rewritten', `There is no 'metric_time' for '${name}'.`, part.place, {
      hint: `Select '${dimensionName(model, defaultTime)}'.`,
    })
  return object
}

const KINDS = new Set(['primary', 'unique', 'foreign'])

async function addEntity(entity: Entity, object: ModelObject): Promise<void> {
  const type = entity.type.toLowerCase()
  if (!KINDS.has(type))
    throw new LeftOut(
      type === 'natural'
        ? 'a key that is valid for a time has no place in a join of the model'
        : `'${entity.type}' is no type of an entity`,
      undefined,
      'Write primary, unique or foreign.',
    )
  const column = await columnFor(entity.expr, entity.name, object)
  object.entities.set(entity.name, column)
  if (type === 'primary') object.columns[column]!['primaryKey'] = true
}

async function addDimension(dimension: Dimension, object: ModelObject, draft: Draft): Promise<void> {
  const { name, isTime, expr, granularity, label, description, part } = dimension
  if (isTime && !GRAINS.has(granularity)) throw new LeftOut(`'${granularity}' is no granularity here`, part.place)
  if (part.part('type_params')?.has('validity_params')) {
    throw new LeftOut(
      'validity_params have no place in the model: rows of a validity would be counted for every time',
      part.place,
    )
  }
  const column = await columnFor(expr, name, object)
  object.dimensions.set(name, column)
  draft.noteDivision(String(object.columns[column]?.['expression']), name, part.place)
  const entry = object.columns[column]!
  if (isTime && entry['abstractType'] === undefined) entry['abstractType'] = 'timestamp'
  const written: Entry = {
    dataObject: object.name,
    column,
    ...(isTime && { timeGrain: granularity }),
    ...(description && { description }),
    ...(label !== undefined && label !== name && { synonyms: [label] }),
  }
  draft.add('dimensions', dimensionName(object.model, name), written, part.place)
}

export const GRAINS = new Set(['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])

/** As dbt writes it: `order_id__ordered_at`. */
export const dimensionName = ({ primaryEntity, part, name: model }: SemanticModel, name: string): string => {
  if (primaryEntity === undefined)
    throw new Refused(
      `'${model}' has dimensions and no primary entity.`,
      part.place,
      'Add an entity of the type primary, or primary_entity.',
    )
  return `${primaryEntity}__${name}`
}

/** A physical column for one name; every other expression is another column. */
export async function columnFor(sql: string, name: string, object: ModelObject, use?: Use): Promise<string> {
  const code = await columnOf(sql)
  if (code !== undefined) return physical(code, object, use)
  const expression = await modelExpression(sql, (words, inner) => `{${physicalOf(words, object, inner)}}`, use)
  const free = Object.hasOwn(object.columns, name) ? `${name} (expression)` : name
  if (free === '__proto__') throw new LeftOut(`'${free}' is no name of a column here`)
  object.columns[free] = { expression }
  return free
}

function physicalOf(words: readonly string[], object: ModelObject, use: Use): string {
  const [column, ...more] = words
  if (column === undefined || more.length > 0) throw new LeftOut(`'${words.join('.')}' is no column of '${object.name}'`)
  return physical(column, object, use)
}

function physical(code: string, { columns, model, assumed }: ModelObject, use: Use): string {
  if (code === '__proto__') throw new LeftOut(`'${code}' is no name of a column here`)
  if (!Object.hasOwn(columns, code)) {
    const declared = model.types.get(code)
    const type = typeOf(declared)
    const decimal = /^\s*(?:decimal|numeric|number)\s*\((\d+)\s*,\s*(\d+)\)\s*$/i.exec(declared ?? '')
    columns[code] = {
      code,
      ...(type && { abstractType: type }),
      ...(decimal && { sqlType: `decimal(${decimal[1]}, ${decimal[2]})` }),
    }
    if (!type) assumed.add(code)
  }
  note(columns[code], use)
  return code
}

/** A column has no type yet: its use gives it one. */
function note(column: Entry | undefined, use: Use): void {
  if (column && use && column['abstractType'] === undefined) column['abstractType'] = USED[use]
}

const USED = { number: 'float', boolean: 'boolean', time: 'timestamp' } as const

/** A column as an expression of another object names it, whose use may give it a type. */
export function assumed(object: ModelObject, column: string, use: Use): string {
  note(object.columns[column], use)
  return reference(object, column)
}

/** A column as an expression of another object names it. */
export const reference = (object: ModelObject, column: string): string => `{[${object.name}].[${column}]}`

export const physicalReference = (words: readonly string[], object: ModelObject, use: Use): string =>
  reference(object, physicalOf(words, object, use))

/** Columns without a type: it is assumed from their use, or is a text. */
export function reportAssumed({ byName }: Objects, draft: Draft): void {
  for (const { name, columns, assumed, model } of byName.values()) {
    if (assumed.size === 0) continue
    const message = `The project declares no type for columns of '${name}'. They are read as: ${assumedTypes(assumed, columns)}.`
    draft.lose('rewritten', message, model.part.place, {
      hint: 'Add data_type to the columns.',
      path: ['dataObjects', name, 'columns'],
    })
  }
}

function typeOf(declared: string | undefined): string | undefined {
  const name = declared?.toLowerCase().replace(/\(.*/s, '').trim() ?? ''
  return Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
}

const TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['int', 'integer', 'bigint', 'smallint', 'int64'].map((name) => [name, 'int'])),
  ...Object.fromEntries(
    ['float', 'double', 'real', 'float64', 'double precision', 'decimal', 'numeric', 'number'].map((name) => [name, 'float']),
  ),
  ...Object.fromEntries(['string', 'text', 'varchar', 'char', 'character varying'].map((name) => [name, 'string'])),
  ...Object.fromEntries(
    ['timestamp', 'timestamp_ntz', 'datetime', 'timestamp without time zone'].map((name) => [name, 'timestamp']),
  ),
  ...Object.fromEntries(['timestamp_tz', 'timestamptz', 'timestamp with time zone'].map((name) => [name, 'timestamp_tz'])),
  ...{ date: 'date', boolean: 'boolean', bool: 'boolean' },
}

type Homes = Objects['homes']

function joinsOf(object: ModelObject, homes: Homes, draft: Draft): void {
  const joins: Entry[] = []
  for (const { name, type, part } of object.model.entities) {
    const column = object.entities.get(name)
    const home = homes.get(name)
    if (column === undefined || home === undefined || home === object) continue
    const again = joins.some(({ joinTo }) => joinTo === home.name)
    const shared = sharedPartitions(object, home)
    if (shared.length < partitionsOf(home).size)
      draft.lose(
        'rewritten',
        `The entity '${name}' of '${object.name}' is joined to every partition of '${home.name}', and is counted once for each.`,
        part.place,
        { hint: `Give '${object.name}' the partition too, or a semantic model without partitions to '${name}'.` },
      )
    const key = home.entities.get(name)!
    sameType(object.columns[column], home.columns[key])
    joins.push({
      joinType: type === 'foreign' || (isPartitioned(object) && shared.length === 0) ? 'many-to-one' : 'one-to-one',
      joinTo: home.name,
      columnsFrom: [column, ...shared.map(([from]) => from)],
      columnsTo: [key, ...shared.map(([, to]) => to)],
      ...(again && { secondary: true, pathName: name }),
    })
    draft.places.push({ path: ['dataObjects', object.name, 'joins', joins.length - 1], place: part.place })
  }
  const unique = object.model.entities.filter(({ name, type }) => type === 'unique' && object.entities.has(name))
  const entry = draft.dataObjects[object.name]!
  const partitions = [...partitionsOf(object).values()]
  if (unique.length > 0) entry['uniqueKeys'] = unique.map(({ name }) => [object.entities.get(name)!, ...partitions])
  if (Object.values(object.columns).some(({ primaryKey }) => primaryKey === true))
    for (const column of partitions) object.columns[column]!['primaryKey'] = true
  if (joins.length > 0) entry['joins'] = joins
}

/** A foreign entity as dbt names it at its own rows, such as `order_id__customer`. Undefined if the name is taken, or there is none. */
function ownKey({ name: dataObject, model }: ModelObject, entity: string, column: string, draft: Draft): string | undefined {
  if (model.primaryEntity === undefined) return undefined
  const name = dimensionName(model, entity)
  if (Object.hasOwn(draft.dimensions, name)) return undefined
  draft.dimensions[name] = { dataObject, column }
  return name
}

/** Partitions of both objects, which are joined too. */
function sharedPartitions(object: ModelObject, home: ModelObject): readonly (readonly [string, string])[] {
  const own = partitionsOf(object)
  return [...partitionsOf(home)].flatMap(([name, to]) => {
    const from = own.get(name)
    return from === undefined ? [] : [[from, to] as const]
  })
}

function entityDimensions(object: ModelObject, homes: Homes, draft: Draft): void {
  for (const { name, part } of object.model.entities) {
    const column = object.entities.get(name)
    if (column === undefined) continue
    const home = homes.get(name)
    if (home !== undefined && home !== object) {
      const own = ownKey(object, name, column, draft)
      draft.lose(
        'rewritten',
        `The entity '${name}' of '${object.name}' is grouped by the key of '${home.name}': rows without a match are under NULL.`,
        part.place,
        own === undefined ? {} : { hint: `Select '${own}' for the keys of '${object.name}' itself.` },
      )
      continue
    }
    if (Object.hasOwn(draft.dimensions, name)) {
      draft.lose(
        'refused',
        `The entity '${name}' of '${object.name}' is no dimension: another semantic model has one with its name.`,
        part.place,
      )
      continue
    }
    const label = part.text('label')
    const description = part.text('description')?.trim()
    const entry: Entry = {
      ...{ dataObject: object.name, column },
      ...(description && { description }),
      ...(label !== undefined && label !== name && { synonyms: [label] }),
    }
    draft.add('dimensions', name, entry, part.place)
  }
}
