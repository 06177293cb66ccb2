/** Data objects, their columns and dimensions → tables with facts and dimensions. */
import type { SemanticModel } from '@grainline/core'
import type { DataType, Dimension } from '@grainline/core/language'
import {
  type ColumnRef,
  checkKeys,
  comparisonSql,
  isOfTables,
  type KeyUse,
  leftOut,
  type NeedReach,
  needFine,
  needReach,
  type Report,
  type SqlSpelling,
  Unsaid,
  writtenSql,
} from '@grainline/importer-dbt/foreign'
import { typeName } from './data-type.js'
import { exactName, identifier, keyOf, quotedName } from './identifier.js'
import type { OutItem, OutTable } from './outline.js'
import { CALLS, UNITS } from './spelling.js'

type DataObject = NonNullable<ReturnType<SemanticModel['dataObjects']['get']>>
type Column = NonNullable<ReturnType<DataObject['columns']['get']>>

const NOTES = { owner: 'inert', customExtensions: 'inert', comment: 'inert' } as const
const GRADES = { ...NOTES, status: 'inert', use: 'inert', format: 'inert' } as const

const OBJECT_KEYS: Readonly<Record<string, KeyUse>> = {
  ...Object.fromEntries(
    ['code', 'database', 'schema', 'columns', 'uniqueKeys', 'joins', 'countable', 'countLabel', 'description', 'synonyms'].map(
      (key) => [key, 'said' as const],
    ),
  ),
  ...NOTES,
  refresh: 'inert',
  nestedIn: { refused: 'its rows are elements of an array' },
  bridge: { refused: 'it is a bridge' },
  weight: { refused: 'it is a bridge with weights' },
  calendar: { refused: 'it is a calendar' },
}

const COLUMN_KEYS: Readonly<Record<string, KeyUse>> = {
  ...Object.fromEntries(
    'code expression abstractType sqlType sqlPrecision sqlScale trueValues primaryKey description synonyms'
      .split(' ')
      .map((key) => [key, 'said' as const]),
  ),
  ...NOTES,
  numClass: 'inert',
  unit: 'constant',
  measure: { refused: 'it is a measure of other rows' },
  exists: { refused: 'it asks for other rows' },
}

const DIMENSION_KEYS: Readonly<Record<string, KeyUse>> = {
  ...Object.fromEntries(
    'dataObject column expression resultType timeGrain hidden description synonyms'
      .split(' ')
      .map((key) => [key, 'said' as const]),
  ),
  ...GRADES,
  hierarchy: 'inert',
  sortBy: 'inert',
  via: { refused: 'it names the way of its join' },
  bins: { refused: 'it has bins' },
}

/** A table, and what the columns of its object are called in it. */
interface Written {
  readonly object: DataObject
  readonly table: OutTable
  /** The item that shows a column. */
  readonly items: Map<string, string>
  /** The names of items that are dimensions, and the keys of those that show a column. */
  readonly dimensions: Set<string>
  readonly shown: Set<string>
  /** The keys of all names in the table. */
  readonly taken: Set<string>
}

export class Tables {
  readonly #written = new Map<string, Written>()
  readonly #reading = new Set<string>()
  readonly #dimensions = new Map<string, { readonly table: string; readonly name: string }>()
  /** The keys of measures and metrics, and of tables. */
  readonly #measures = new Set<string>()
  readonly #tables = new Set<string>()

  /** How many fields there are with a name, whatever its case. */
  readonly #named = new Map<string, number>()
  readonly #needReach: NeedReach

  constructor(
    readonly model: SemanticModel,
    readonly report: Report,
  ) {
    this.#needReach = needReach(model, (join) => !join.required && this.#written.has(join.to) && isOfTables(join, model))
    for (const name of [...model.dimensions.keys(), ...model.measures.keys(), ...model.metrics.keys()])
      this.#named.set(name.toUpperCase(), (this.#named.get(name.toUpperCase()) ?? 0) + 1)
  }

  /** The identifier of a name, in quotes if another name differs only in its case. */
  identifier(name: string): string {
    return (this.#named.get(name.toUpperCase()) ?? 0) > 1 ? quotedName(name) : identifier(name)
  }

  get all(): readonly OutTable[] {
    return [...this.#written.values()].map(({ table }) => table)
  }

  /** Each step writes an item. */
  *write(): Generator<void> {
    const { model, report } = this
    const { dataObjects, dimensions, measures, metrics } = model
    for (const object of dataObjects.values())
      yield void report.item(['dataObjects', object.name], `The data object '${object.name}'`, () => this.#object(object))
    const written: Dimension[] = []
    for (const dimension of dimensions.values()) {
      const what = `The dimension '${dimension.name}'`
      if (report.attempt(['dimensions', dimension.name], what, () => this.#reserve(dimension))) written.push(dimension)
      yield
    }
    for (const name of [...measures.keys(), ...metrics.keys()]) this.#measures.add(keyOf(this.identifier(name)))
    for (const each of this.#written.values())
      for (const column of each.object.columns.values()) yield this.#nameColumn(column, each)
    for (const each of this.#written.values()) for (const column of each.object.columns.values()) yield this.#column(column, each)
    for (const dimension of written) {
      const { name } = dimension
      if (!report.item(['dimensions', name], `The dimension '${name}'`, () => this.#dimension(dimension)))
        this.#dimensions.delete(name)
      yield
    }
  }

  /** The table of an object. Throws `Unsaid` if there is none. */
  table(object: string): OutTable {
    return this.#of(object).table
  }

  /** The column as SQL, for an expression in the table of `home`, or in none. Throws `Unsaid` for one that is left out. */
  reference({ object, column }: ColumnRef, home: string | undefined): string {
    const { items, table, object: owner } = this.#of(object)
    const item = items.get(column)
    const found = owner.columns.get(column)
    if (item === undefined || !found) throw leftOut(`the column '${object}.${column}'`)
    this.#sql(found, owner)
    if (home !== undefined) this.#needReach(home, object)
    const name = quotedName(keyOf(item))
    return object === home ? name : `${quotedName(keyOf(table.name))}.${name}`
  }

  spelling(home: string | undefined): SqlSpelling<ColumnRef> {
    return {
      leaf: (leaf) => this.reference(leaf, home),
      typeOf: ({ object, column }) => this.model.dataObjects.get(object)?.columns.get(column)?.type,
      double: 'DOUBLE',
      timestamp: 'TIMESTAMP_NTZ',
      calls: CALLS,
      units: UNITS,
    }
  }

  /** A column of a key, which must be one of the table itself. */
  keyColumn(object: string, name: string): string {
    const found = this.#of(object).object.columns.get(name)
    needFine(found)
    const { source } = found ?? {}
    if (source?.kind !== 'physical') throw new Unsaid(`the key '${object}.${name}' is no column of the table`)
    return exactName(source.code)
  }

  /** A dimension by its name in the model. */
  dimension(name: string): { readonly table: string; readonly name: string } {
    const found = this.#dimensions.get(name)
    if (!found) throw leftOut(`the dimension '${name}'`)
    return found
  }

  /** Whether a name is free in a table; from then on it is not. */
  take(object: string, name: string): string {
    const { taken } = this.#of(object)
    let free = this.identifier(name)
    for (let at = 2; taken.has(keyOf(free)); at++) free = identifier(`${name} (${at})`)
    taken.add(keyOf(free))
    return free
  }

  #of(object: string): Written {
    const written = this.#written.get(object)
    if (!written) throw leftOut(`the data object '${object}'`)
    return written
  }

  #object(object: DataObject): void {
    const path = ['dataObjects', object.name]
    const entry = this.model.document.dataObjects?.[object.name] ?? {}
    checkKeys(entry, OBJECT_KEYS)
    this.report.inert(path, entry, OBJECT_KEYS)
    const { source, description, synonyms = [] } = object
    if (source.kind !== 'table') throw new Unsaid('it is a query, and no table', 'Create a view with this query in the database.')
    const base = [source.database, source.schema, source.name].flatMap((part) => (part === undefined ? [] : [exactName(part)]))
    if (source.database !== undefined && source.schema === undefined) throw new Unsaid('it has a database, and no schema')
    const codes = [...object.columns.values()].flatMap(({ source: from }) => (from.kind === 'physical' ? [from.code] : []))
    const keys = this.#keys(object)
    const table: OutTable = {
      ...{ path, name: this.#tableName(object.name), base, description, synonyms, ...keys },
      ...{ facts: [], dimensions: [], times: [], metrics: [], filters: [] },
    }
    this.#written.set(object.name, {
      ...{ object, table, items: new Map(), dimensions: new Set(), shown: new Set() },
      taken: new Set(codes),
    })
  }

  #tableName(name: string): string {
    const plain = identifier(name)
    const free = this.#tables.has(keyOf(plain)) ? quotedName(name) : plain
    this.#tables.add(keyOf(free))
    return free
  }

  /** A key with a computed column has no place. It says which rows are equal, and no number. */
  #keys({ name, key, uniqueKeys, columns }: DataObject): Pick<OutTable, 'primaryKey' | 'uniqueKeys'> {
    const codes = (names: readonly string[], path: (string | number)[]): readonly string[] => {
      const found = names.flatMap((each) => {
        const source = columns.get(each)?.source
        return source?.kind === 'physical' ? [exactName(source.code)] : []
      })
      if (found.length === names.length) return found
      this.report.lose('refused', path, `A key of '${name}' is left out: it has a computed column.`)
      return []
    }
    const primaryKey = codes(key, ['dataObjects', name, 'columns', key[0] ?? ''])
    const others = uniqueKeys.map((each, at) => codes(each, ['dataObjects', name, 'uniqueKeys', at]))
    return { primaryKey, uniqueKeys: others.filter((each) => each.length > 0) }
  }

  /** Dimensions keep their names; columns are facts beside them. */
  #reserve(dimension: Dimension): void {
    const written = this.#of(dimension.dataObject)
    checkKeys(this.model.document.dimensions?.[dimension.name] ?? {}, DIMENSION_KEYS)
    const column = plainColumn(dimension)
    const name = this.identifier(dimension.name)
    const shown = column === undefined ? undefined : written.object.columns.get(column)?.source
    const isItself = shown?.kind === 'physical' && shown.code === keyOf(name) && !written.shown.has(keyOf(name))
    const free = isItself ? name : this.take(dimension.dataObject, dimension.name)
    this.#dimensions.set(dimension.name, { table: written.table.name, name: free })
    written.dimensions.add(free)
    if (column !== undefined && !written.items.has(column)) show(column, free, written)
  }

  /** The name of a fact is that of its column, unless another item or a measure has it. */
  #nameColumn({ name, source }: Column, written: Written): void {
    if (written.items.has(name)) return
    show(name, this.#freeName({ name, source }, written), written)
  }

  #freeName({ name, source }: Pick<Column, 'name' | 'source'>, written: Written): string {
    const key = keyOf(this.identifier(name))
    const isItself = source.kind === 'physical' && key === source.code && !written.shown.has(key)
    const isMeasure = this.#measures.has(key)
    if (isItself && !isMeasure) return this.identifier(name)
    const isTaken = isMeasure || written.taken.has(key)
    return this.take(written.object.name, isTaken ? `${name} (column)` : name)
  }

  #column(column: Column, { object, table, items, dimensions }: Written): void {
    const path = ['dataObjects', object.name, 'columns', column.name]
    this.report.item(path, `The column '${object.name}.${column.name}'`, () => {
      const sql = this.#sql(column, object)
      this.report.inert(path, this.#entryOf(column, object), COLUMN_KEYS)
      if (column.trueValues) this.report.lose('rewritten', path, `'${column.name}' is a comparison of its stored values.`)
      const name = items.get(column.name) ?? ''
      const { description, synonyms = [] } = column
      if (dimensions.has(name)) {
        if (description !== undefined || synonyms.length > 0)
          this.report.lose('inert', path, `The description of '${column.name}' is not in the text: its dimension has one.`)
        return
      }
      table.facts.push({ path, name, sql, type: typeName(column.type), description, synonyms })
    })
  }

  /** The value of a column, from the columns of its table. Throws `Unsaid`. */
  #sql(column: Column, object: DataObject): string {
    const id = JSON.stringify([object.name, column.name])
    if (this.#reading.has(id)) throw new Unsaid('it reads itself')
    this.#reading.add(id)
    try {
      checkKeys(this.#entryOf(column, object), COLUMN_KEYS)
      needFine(column)
      if (column.source.kind === 'expression') return writtenSql(column.source.expression, this.spelling(object.name))
      if (column.source.kind !== 'physical') throw new Unsaid('it is computed from other rows')
      const code = quotedName(column.source.code)
      if (!column.trueValues) return exactName(column.source.code)
      const of: DataType = { kind: column.trueValues.every((value) => typeof value === 'number') ? 'int' : 'string' }
      return comparisonSql(code, of, { operator: 'in', values: column.trueValues }, this.spelling(object.name))
    } finally {
      this.#reading.delete(id)
    }
  }

  #entryOf({ name }: Column, object: DataObject): object {
    return this.model.document.dataObjects?.[object.name]?.columns?.[name] ?? {}
  }

  #dimension(dimension: Dimension): void {
    const path = ['dimensions', dimension.name]
    this.report.inert(path, this.model.document.dimensions?.[dimension.name] ?? {}, DIMENSION_KEYS)
    const { table, object, items } = this.#of(dimension.dataObject)
    const { name } = this.dimension(dimension.name)
    if (keyOf(name) !== keyOf(this.identifier(dimension.name)))
      this.report.lose(
        'rewritten',
        path,
        `'${dimension.name}' is called ${name}: its table has another item or column of this name.`,
      )
    const column = plainColumn(dimension)
    const isItem = column !== undefined && items.get(column) === name
    const found = column === undefined ? undefined : object.columns.get(column)
    const value = isItem && found ? this.#sql(found, object) : writtenSql(dimension.expression, this.spelling(object.name))
    const item: OutItem = {
      ...{ path, name, sql: this.#bucket(value, dimension), type: typeName(dimension.type) },
      ...{ description: dimension.description, synonyms: dimension.synonyms ?? [], isPrivate: dimension.hidden },
    }
    const isTime = ['date', 'timestamp', 'timestamp_tz'].includes(dimension.type.kind)
    if (isTime) table.times.push(item)
    else table.dimensions.push(item)
  }

  #bucket(value: string, { name, timeGrain }: Dimension): string {
    if (!timeGrain) return value
    const unit = String(this.model.document.dimensions?.[name]?.timeGrain ?? '')
    if (!UNITS.has(unit)) throw new Unsaid(`periods of ${unit} depend on the session, or on a calendar`)
    const path = ['dimensions', name]
    this.report.lose('rewritten', path, `'${name}' is the first moment of its ${unit}: the grain is part of its expression.`)
    return `DATE_TRUNC('${unit}', ${value})`
  }
}

function show(column: string, item: string, { items, shown }: Written): void {
  items.set(column, item)
  shown.add(keyOf(item))
}

/** The column that a dimension shows as it is. */
function plainColumn({ dataObject, expression, timeGrain }: Dimension): string | undefined {
  if (timeGrain || expression.kind !== 'column' || expression.object !== dataObject) return undefined
  return expression.column
}
