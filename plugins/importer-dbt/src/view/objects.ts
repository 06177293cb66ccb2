/** Tables → data objects with columns, keys and dimensions. */
import { assumedTypes, type Draft, type Entry, LeftOut } from '../draft.js'
import type { SqlReader, Use } from '../sql-expression.js'
import type { FieldNames } from './names.js'
import type { Item, Table, View, ViewFormat } from './view.js'

/** A data object, and what its items became. */
export interface ModelObject {
  readonly table: Table
  readonly name: string
  readonly entry: Entry
  readonly columns: Record<string, Entry>
  /** Facts and dimensions, by their folded names. */
  readonly items: ReadonlyMap<string, Item>
  /** The columns of items that have one; undefined while it is being written. */
  readonly written: Map<Item, string | undefined>
  /** Columns without a declared type, which their use gives one. */
  readonly assumed: Set<string>
  /** The other objects whose columns an item reads. */
  readonly reads: Map<Item, Set<ModelObject>>
}

export interface Objects {
  readonly all: ReadonlyMap<string, ModelObject>
  readonly sql: SqlReader
  readonly format: ViewFormat
  /** Columns that are compared with each other: they have one type. */
  readonly compared: (readonly [Entry, Entry])[]
}

export async function objectsOf(
  view: View,
  { sql, format }: Pick<Objects, 'sql' | 'format'>,
  names: FieldNames,
  draft: Draft,
): Promise<Objects> {
  const all = new Map<string, ModelObject>()
  for (const table of view.tables) all.set(table.key, objectOf(table, draft))
  const objects: Objects = { all, sql, format, compared: [] }
  for (const object of all.values()) await fieldsOf(object, objects, names, draft)
  for (const object of all.values()) await keysOf(object, objects, draft)
  return objects
}

function objectOf(table: Table, draft: Draft): ModelObject {
  const { name, code, schema, database, description, synonyms } = table
  const columns: Record<string, Entry> = {}
  const entry: Entry = {
    code,
    ...(schema !== undefined && { schema }),
    ...(database !== undefined && { database }),
    ...(description && { description }),
    ...(synonyms.length > 0 && { synonyms }),
    countable: false,
    columns,
  }
  draft.add('dataObjects', name, entry, table.place)
  const items = [...table.facts, ...table.dimensions, ...table.times]
  const byName = new Map(items.map((item) => [item.key, item]))
  return { table, name, entry, columns, items: byName, written: new Map(), assumed: new Set(), reads: new Map() }
}

async function fieldsOf(object: ModelObject, objects: Objects, names: FieldNames, draft: Draft): Promise<void> {
  const { table, name } = object
  for (const fact of table.facts) {
    const what = `The fact '${fact.name}' of '${name}'`
    await draft.attempt(what, fact.place, () => {
      const column = columnOfItem(fact, object, objects, draft)
      describe(object, column, fact)
      draft.says(['dataObjects', name, 'columns', column], fact.place)
    })
  }
  const shown = table.facts.filter(({ isPrivate }) => !isPrivate)
  if (shown.length > 0)
    draft.lose('rewritten', `Facts of '${name}' are columns: measures read them, and no query groups by them.`, table.place, {
      path: ['dataObjects', name, 'columns'],
    })
  for (const item of [...table.dimensions, ...table.times]) {
    const what = `The dimension '${item.name}' of '${name}'`
    await draft.attempt(what, item.place, () => dimension(item, object, objects, names, draft))
  }
}

function describe({ columns }: ModelObject, column: string, { description, synonyms }: Item): void {
  const entry = columns[column]
  if (!entry) return
  if (description && entry['description'] === undefined) entry['description'] = description
  if (synonyms.length > 0 && entry['synonyms'] === undefined) entry['synonyms'] = synonyms
}

function dimension(item: Item, object: ModelObject, objects: Objects, names: FieldNames, draft: Draft): void {
  const column = columnOfItem(item, object, objects, draft)
  if (item.isUnique) unique(object, [column])
  const { description, synonyms, isPrivate } = item
  const entry: Entry = {
    ...{ dataObject: object.name, column },
    ...(isPrivate && { hidden: true }),
    ...(description && { description }),
    ...(synonyms.length > 0 && { synonyms }),
  }
  draft.add('dimensions', names.of(item), entry, item.place)
}

function unique({ entry }: ModelObject, key: readonly string[]): void {
  const keys = (entry['uniqueKeys'] as readonly (readonly string[])[] | undefined) ?? []
  if (!keys.some((each) => each.join() === key.join())) entry['uniqueKeys'] = [...keys, key]
}

/** The column of an item, written when it is first read. */
function columnOfItem(item: Item, object: ModelObject, objects: Objects, draft: Draft): string {
  const { written, columns } = object
  const known = written.get(item)
  if (known !== undefined) return known
  if (item.odd !== undefined) throw new LeftOut(item.odd, item.sqlPlace)
  if (written.has(item)) throw new LeftOut(`'${item.name}' reads itself`)
  written.set(item, undefined)
  try {
    const words = objects.sql.words(item.sql)
    const column = words ? plainColumn(words, item, object, objects, draft) : computed(item, object, objects, draft)
    written.set(item, column)
    const type = objects.format.type(item.type)
    const entry = columns[column]
    if (entry?.['code'] !== undefined && object.assumed.has(column) && type) {
      Object.assign(entry, type)
      object.assumed.delete(column)
    }
    return column
  } finally {
    if (written.get(item) === undefined) written.delete(item)
  }
}

/** Another item of the object is the same column; a column of another object is an expression. */
function plainColumn(words: readonly string[], item: Item, object: ModelObject, objects: Objects, draft: Draft): string {
  const found = locate(words, item.sql, object, objects)
  if (found.object !== object) return computed(item, object, objects, draft)
  const other = found.isStored ? undefined : found.object.items.get(objects.format.key(found.name))
  return other && other !== item ? columnOfItem(other, object, objects, draft) : physical(found.name, object, undefined)
}

function computed(item: Item, object: ModelObject, objects: Objects, draft: Draft): string {
  const expression = objects.sql.expression(item.sql, columnReading(item.sql, object, objects, draft, item))
  draft.noteDivision(expression, item.name, item.sqlPlace)
  const free = Object.hasOwn(object.columns, item.name) ? `${item.name} (expression)` : item.name
  if (free === '__proto__') throw new LeftOut(`'${free}' is no name of a column here`)
  object.columns[free] = { expression }
  return free
}

/** Names inside an expression over rows are columns: of items first, then of the table. */
export function columnReading(sql: string, from: ModelObject, objects: Objects, draft: Draft, self?: Item) {
  const entries = new Map<string, Entry>()
  const names = (words: readonly string[], use: Use): string => {
    const { object, name, isStored } = locate(words, sql, from, objects)
    const column = isStored ? physical(name, object, use) : columnNamed(name, object, objects, draft, use, self)
    if (self && object !== from) from.reads.set(self, (from.reads.get(self) ?? new Set()).add(object))
    const written = self && object === from ? `{${column}}` : `{[${object.name}].[${column}]}`
    const entry = object.columns[column]
    if (entry) entries.set(written, entry)
    return written
  }
  const compared = (left: string, right: string): void => {
    const [one, other] = [entries.get(left), entries.get(right)]
    if (one && other) objects.compared.push([one, other])
  }
  return { names, call: objects.format.call, compared }
}

/** The column of a folded name. */
export function columnNamed(name: string, object: ModelObject, objects: Objects, draft: Draft, use?: Use, self?: Item): string {
  const item = object.items.get(objects.format.key(name))
  if (!item || item === self) {
    if (!item && !self && object.table.metrics.some((metric) => metric.key === objects.format.key(name)))
      throw new LeftOut(`'${name}' is a metric of '${object.name}', and not a value of its rows`)
    return physical(name, object, use)
  }
  const column = columnOfItem(item, object, objects, draft)
  note(object.columns[column], use)
  return column
}

/** A name alone is of this object; a name after another is of the object with this name: a column of its table where names alone are of one. */
export function locate(
  words: readonly string[],
  sql: string,
  from: ModelObject,
  { all, format }: Objects,
): { object: ModelObject; name: string; isStored: boolean } {
  const [first = '', second, ...more] = words.map((word) => format.spelled(word, sql))
  if (second === undefined)
    return { object: (format.alone === undefined ? undefined : all.get(format.alone)) ?? from, name: first, isStored: false }
  const object = all.get(format.key(first))
  if (!object || more.length > 0) throw new LeftOut(`'${words.join('.')}' is no column of a table`)
  return { object, name: second, isStored: format.alone !== undefined }
}

/** The column of the table, whatever items are called. */
export function physical(code: string, { columns, assumed }: ModelObject, use?: Use): string {
  if (code === '__proto__' || code === '*') throw new LeftOut(`'${code}' is no name of a column here`)
  const isTaken = Object.hasOwn(columns, code) && columns[code]?.['code'] !== code
  const name = isTaken ? `${code} (column)` : code
  if (!Object.hasOwn(columns, name)) {
    columns[name] = { code }
    assumed.add(name)
  }
  note(columns[name], use)
  return name
}

/** A column has no type yet: its use gives it one. */
export function note(column: Entry | undefined, use: Use): void {
  if (column?.['code'] !== undefined && use && column['abstractType'] === undefined) column['abstractType'] = USED[use]
}

const USED = { number: 'float', boolean: 'boolean', time: 'timestamp' } as const

async function keysOf(object: ModelObject, objects: Objects, draft: Draft): Promise<void> {
  const { table, name, columns } = object
  const keyOf = (key: readonly string[]) => key.map((each) => columnNamed(objects.format.stored(each), object, objects, draft))
  await draft.attempt(`The primary key of '${name}'`, table.place, () => {
    for (const column of keyOf(table.primaryKey)) Object.assign(columns[column] ?? {}, { primaryKey: true })
  })
  const primary = table.primaryKey.map(objects.format.stored).join()
  for (const key of table.uniqueKeys)
    await draft.attempt(`A unique key of '${name}'`, table.place, () => {
      if (key.length > 0 && key.map(objects.format.stored).join() !== primary) unique(object, keyOf(key))
    })
}

/** A column without a type has that of the column it is compared with. Returns whether it got one. */
export function sameType(one: Entry | undefined, other: Entry | undefined): boolean {
  const [typed, untyped] = one?.['abstractType'] === undefined ? [other, one] : [one, other]
  if (untyped?.['code'] === undefined || untyped['abstractType'] !== undefined || typed?.['abstractType'] === undefined)
    return false
  untyped['abstractType'] = typed['abstractType']
  return true
}

/** A type goes from column to column. */
function settle(compared: Objects['compared']): void {
  if (compared.filter(([one, other]) => sameType(one, other)).length > 0) settle(compared)
}

/** Columns without a type: it is assumed from their use, or is a text. */
export function reportAssumed({ all, format, compared }: Objects, draft: Draft): void {
  settle(compared)
  for (const { name, columns, assumed, table } of all.values()) {
    if (assumed.size === 0) continue
    const types = assumedTypes(assumed, columns)
    draft.lose('rewritten', `No type is declared for columns of '${name}'. They are read as: ${types}.`, table.place, {
      hint: format.typeHint,
      path: ['dataObjects', name, 'columns'],
    })
  }
}
