/** Data objects, their columns and dimensions → datasets with fields. */
import type { SemanticModel } from '@grainline/core'
import type { DataType, Dimension } from '@grainline/core/language'
import {
  type ColumnRef,
  checkKeys,
  comparisonSql,
  FreeNames,
  isOfTables,
  type KeyUse,
  type NeedReach,
  needFine,
  needReach,
  type Report,
  type SqlSpelling,
  Unsaid,
  writtenSql,
} from '@grainline/importer-dbt/foreign'
import { CALLS, type OutDataset, type OutField, quotedName, slugOf, UNITS, wordOf } from './outline.js'

type DataObject = NonNullable<ReturnType<SemanticModel['dataObjects']['get']>>
type Column = NonNullable<ReturnType<DataObject['columns']['get']>>

const said = (keys: string) => Object.fromEntries(keys.split(' ').map((key) => [key, 'said' as const]))
/** What the extension alone says, and no number depends on. */
export const NOTES = Object.fromEntries(
  'owner customExtensions comment status use format resultType hierarchy sortBy numClass refresh countable countLabel foreignKey allowFanOut'
    .split(' ')
    .map((key) => [key, 'inert' as const]),
)

const OBJECT_KEYS: Readonly<Record<string, KeyUse>> = {
  ...NOTES,
  ...said('code database schema columns uniqueKeys joins description synonyms'),
  bridge: { refused: 'it is a bridge' },
  weight: { refused: 'it is a bridge with weights' },
}
const COLUMN_KEYS: Readonly<Record<string, KeyUse>> = {
  ...NOTES,
  unit: 'constant',
  ...said('code expression abstractType sqlType sqlPrecision sqlScale trueValues primaryKey description synonyms'),
}
const DIMENSION_KEYS: Readonly<Record<string, KeyUse>> = {
  ...NOTES,
  ...said('dataObject column expression resultType timeGrain description synonyms'),
}

interface Written {
  readonly object: DataObject
  readonly dataset: OutDataset
  /** The field of each column. */
  readonly fields: Map<string, OutField>
  /** The names of these fields, in capitals. */
  readonly names: Set<string>
  readonly taken: FreeNames
}

export class Datasets {
  readonly #written = new Map<string, Written>()
  readonly #names = new FreeNames()
  readonly #reading = new Set<Column>()
  readonly #needReach: NeedReach

  constructor(
    readonly model: SemanticModel,
    readonly report: Report,
  ) {
    this.#needReach = needReach(
      model,
      (join) =>
        !join.required && join.on.every((term) => term.kind === 'equal') && this.#written.has(join.to) && isOfTables(join, model),
    )
  }

  get all(): readonly OutDataset[] {
    return [...this.#written.values()].map(({ dataset }) => dataset)
  }

  *write(): Generator<void> {
    const { model, report } = this
    for (const object of model.dataObjects.values())
      yield void report.item(['dataObjects', object.name], `The data object '${object.name}'`, () => this.#object(object))
    for (const written of this.#written.values())
      for (const column of written.object.columns.values()) {
        const path = ['dataObjects', written.object.name, 'columns', column.name]
        yield void report.item(path, `The column '${written.object.name}.${column.name}'`, () => this.#column(column, written))
      }
    for (const dimension of model.dimensions.values())
      yield void report.item(['dimensions', dimension.name], `The dimension '${dimension.name}'`, () =>
        this.#dimension(dimension),
      )
  }

  dataset(object: string): OutDataset {
    return this.#of(object).dataset
  }

  /** A key or a column of a join, by its name in the table. */
  keyColumn(object: string, column: string): string {
    const found = this.#of(object).object.columns.get(column)
    needFine(found)
    const { source } = found ?? {}
    if (source?.kind !== 'physical') throw new Unsaid(`'${object}.${column}' is no column of the table`)
    return source.code
  }

  /** How the rows of an object are aggregated: with the names of all tables. */
  aggregated(home: string): SqlSpelling<ColumnRef> {
    const spelling = this.spelling(undefined)
    const leaf = (ref: ColumnRef): string => {
      this.#needReach(home, ref.object)
      return spelling.leaf(ref)
    }
    return { ...spelling, leaf }
  }

  spelling(home: string | undefined): SqlSpelling<ColumnRef> {
    return {
      leaf: (leaf) => this.#reference(leaf, home),
      typeOf: ({ object, column }) => this.model.dataObjects.get(object)?.columns.get(column)?.type,
      double: 'DOUBLE PRECISION',
      timestamp: 'TIMESTAMP',
      calls: CALLS,
      units: UNITS,
    }
  }

  #of(object: string): Written {
    const written = this.#written.get(object)
    if (!written) throw new Unsaid(`the data object '${object}' has no place there`)
    return written
  }

  #object(object: DataObject): void {
    const { name, source, key, uniqueKeys, description, synonyms = [] } = object
    checkKeys(this.model.document.dataObjects?.[name] ?? {}, OBJECT_KEYS)
    if (source.kind !== 'table') throw new Unsaid('it is a query, and no table')
    const path = [source.database, source.schema, source.name].flatMap((part) => part ?? [])
    if (!path.every((part) => /^[\w$]+$/.test(part))) throw new Unsaid('the name of its table has more than letters and digits')
    if (source.database !== undefined && source.schema === undefined) throw new Unsaid('it has a database, and no schema')
    const codes = [...object.columns.values()].flatMap(({ source: from }) => (from.kind === 'physical' ? [from.code] : []))
    const keyOf = (columns: readonly string[]) => {
      const found = columns.flatMap((each) => {
        const from = object.columns.get(each)?.source
        return from?.kind === 'physical' ? [from.code] : []
      })
      return found.length === columns.length ? found : []
    }
    const dataset: OutDataset = {
      ...{
        path: ['dataObjects', name],
        name: slugOf(name, this.#names),
        title: name,
        source: path.join('.'),
        primaryKey: keyOf(key),
        description,
        synonyms,
        fields: [],
      },
      uniqueKeys: uniqueKeys.map(keyOf).filter((each) => each.length > 0),
    }
    this.#written.set(name, { object, dataset, fields: new Map(), names: new Set(), taken: new FreeNames(codes) })
    this.report.inert(['dataObjects', name], this.model.document.dataObjects?.[name] ?? {}, OBJECT_KEYS)
    if (dataset.name.toUpperCase() !== name.toUpperCase()) this.#renamed(['dataObjects', name], name, dataset.name)
  }

  #renamed(path: readonly string[], name: string, other: string): void {
    this.report.lose('rewritten', path, `'${name}' is called ${other}: names there are letters and digits.`)
  }

  #reference({ object, column }: ColumnRef, home: string | undefined): string {
    const { dataset, fields } = this.#of(object)
    const field = fields.get(column)
    if (!field) throw new Unsaid(`the column '${object}.${column}' has no place there`)
    if (home !== undefined) this.#needReach(home, object)
    return object === home ? field.name : `${dataset.name}.${field.name}`
  }

  /** A column is written when it is first read: a field names fields before it. */
  #column(column: Column, written: Written): OutField {
    const { object, dataset, fields, names, taken } = written
    const known = fields.get(column.name)
    if (known) return known
    if (this.#reading.has(column)) throw new Unsaid('it reads itself')
    this.#reading.add(column)
    try {
      const entry = this.model.document.dataObjects?.[object.name]?.columns?.[column.name] ?? {}
      checkKeys(entry, COLUMN_KEYS)
      needFine(column)
      const { description, synonyms = [], source } = column
      const sql = this.#sql(column, written)
      const isPlain = source.kind === 'physical' && !column.trueValues && /^[A-Za-z_]\w*$/.test(source.code)
      const isFree = isPlain && !names.has(source.code.toUpperCase())
      const name = isFree ? source.code : slugOf(column.name, taken)
      const field: OutField = {
        paths: [['dataObjects', object.name, 'columns', column.name]],
        name,
        title: column.name,
        sql,
        type: typeName(column.type),
        description,
        synonyms,
        isDimension: false,
      }
      fields.set(column.name, field)
      names.add(name.toUpperCase())
      dataset.fields.push(field)
      this.report.inert(['dataObjects', object.name, 'columns', column.name], entry, COLUMN_KEYS)
      return field
    } finally {
      this.#reading.delete(column)
    }
  }

  #sql(column: Column, { object }: Written): string {
    const { source, trueValues } = column
    if (source.kind === 'expression') {
      const spelling = this.spelling(object.name)
      const leaf = (ref: ColumnRef): string => {
        const owner = this.#of(ref.object)
        const found = owner.object.columns.get(ref.column)
        if (found) this.#column(found, owner)
        return spelling.leaf(ref)
      }
      return writtenSql(source.expression, { ...spelling, leaf })
    }
    if (source.kind !== 'physical') throw new Unsaid('it is computed from other rows')
    const code = /^[A-Za-z_]\w*$/.test(source.code) ? source.code : quotedName(source.code)
    if (!trueValues) return code
    const of: DataType = { kind: trueValues.every((value) => typeof value === 'number') ? 'int' : 'string' }
    return comparisonSql(code, of, { operator: 'in', values: trueValues }, this.spelling(object.name))
  }

  #dimension(dimension: Dimension): void {
    const { name, dataObject, expression, timeGrain, type, description, synonyms = [] } = dimension
    const path = ['dimensions', name]
    checkKeys(this.model.document.dimensions?.[name] ?? {}, DIMENSION_KEYS)
    const { dataset, fields, taken } = this.#of(dataObject)
    const spelling = this.spelling(dataObject)
    const plain =
      !timeGrain && expression.kind === 'column' && expression.object === dataObject ? fields.get(expression.column) : undefined
    if (plain && !plain.isDimension && wordOf(name).toUpperCase() === plain.name.toUpperCase()) {
      plain.isDimension = true
      plain.paths.push(path)
      plain.description = description ?? plain.description
      plain.synonyms = [...new Set([...synonyms, ...plain.synonyms])]
      if (plain.name !== name) plain.synonyms = [...new Set([name, ...plain.synonyms])]
    } else {
      const value = writtenSql(expression, spelling)
      const unit = String(this.model.document.dimensions?.[name]?.timeGrain ?? '')
      if (timeGrain && !UNITS.has(unit)) throw new Unsaid(`periods of ${unit} depend on a calendar`)
      const sql = timeGrain ? `DATE_TRUNC('${unit}', ${value})` : value
      const field = slugOf(name, taken)
      dataset.fields.push({
        ...{ paths: [path], name: field, title: name, sql, type: typeName(type) },
        ...{ description, synonyms, isDimension: true },
      })
      if (field !== name) this.#renamed(path, name, field)
      if (timeGrain)
        this.report.lose('rewritten', path, `'${name}' is the first moment of its ${unit}: the grain is part of its expression.`)
    }
    this.report.inert(path, this.model.document.dimensions?.[name] ?? {}, DIMENSION_KEYS)
  }
}

const TYPES: Readonly<Record<DataType['kind'], string>> = {
  ...{ string: 'String', int: 'Integer', decimal: 'Decimal', float: 'Float', boolean: 'Boolean', date: 'Date', time: 'Time' },
  ...{ timestamp: 'DateTime', timestamp_tz: 'DateTimeTz', json: 'Opaque' },
}

const typeName = ({ kind }: DataType): string => TYPES[kind]
