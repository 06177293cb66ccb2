import { entryOf, firstOf } from '../../invariant.js'
import { columnsOfWindow } from '../columns-read.js'
import {
  BOOLEAN,
  DATE,
  type DataType,
  decimal,
  FLOAT,
  INT,
  isNumeric,
  isTemporal,
  JSON_TYPE,
  MAX_PRECISION,
  parseDataType,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
  writtenTimestamp,
} from '../data-type.js'
import type { ColumnDocument } from '../document.js'
import { type ColumnRef, leavesOf } from '../expression/ast.js'
import type { Typed } from '../expression/typed.js'
import { valueType } from '../expression/value-type.js'
import { sortGraph } from '../graph.js'
import type { Segments } from '../parse/locate.js'
import type { Column, ExistsSource, MeasureSource, WindowSource } from '../semantic-model.js'
import { type Context, columnExpression, columnType, describedOf, entriesOf, typedOverColumns } from './context.js'
import { readTarget } from './filters.js'
import { inputsOf, measureSource, typeOfMeasured } from './measure-columns.js'
import { readColumnUnit } from './units.js'
import { typeOfWindow, windowSource, withFilters } from './window-columns.js'

const ABSTRACT: Readonly<Record<string, DataType>> = {
  string: STRING,
  int: INT,
  float: FLOAT,
  date: DATE,
  time: TIME,
  time_tz: TIME,
  timestamp: TIMESTAMP,
  timestamp_tz: TIMESTAMP_TZ,
  boolean: BOOLEAN,
  json: JSON_TYPE,
}

/** A column whose type follows from those of others. */
interface Computed {
  readonly object: string
  readonly name: string
  readonly entry: ColumnDocument
  readonly source: Exclude<Column['source'], { readonly kind: 'physical' | 'exists' }>
}

/** A column that says whether rows are found. */
interface Existing {
  readonly object: string
  readonly name: string
  readonly entry: ColumnDocument
  readonly source: ExistsSource
}

/** Completes the columns of every object: physical ones first, then computed ones in the order of their references. */
export function* readColumns(context: Context): Generator<undefined> {
  const computed = new Map<string, Computed>()
  const existsColumns: Existing[] = []
  for (const [object, entry] of entriesOf(context.document.dataObjects)) {
    const draft = entryOf(context.objects, object)
    for (const [name, column] of entriesOf(entry.columns)) {
      yield
      const segments = ['dataObjects', object, 'columns', name]
      if (context.isBroken(segments)) continue
      const source = readSource({ object, name, column, segments }, context)
      if (source === undefined) continue
      checkTrueValues(column, segments, context)
      if (source.kind === 'exists') existsColumns.push({ object, name, entry: column, source })
      else if (source.kind === 'physical')
        draft.columns.set(name, makeColumn(name, column, source, storedType(physicalType(column, segments, context), context)))
      else computed.set(nodeName(object, name), { object, name, entry: column, source })
    }
  }
  // They are true or false, whatever they read.
  for (const { object, name, entry, source } of existsColumns)
    entryOf(context.objects, object).columns.set(name, existsColumn(name, entry, source))
  yield* typeComputed(computed, context)
  for (const column of existsColumns) {
    readTargetOf(column, context)
    yield
  }
  for (const column of computed.values()) readWindowFilters(column, context)
  for (const [object, draft] of context.objects) {
    checkNumClasses(object, draft.columns, context)
    readUnits(object, draft.columns, context)
    yield
  }
}

const nodeName = (object: string, column: string): string => `${object}\0${column}`

/** A column as the model writes it. */
interface WrittenColumn {
  readonly object: string
  readonly name: string
  readonly column: ColumnDocument
  readonly segments: Segments
}

function readSource({ object, name, column, segments }: WrittenColumn, context: Context): Column['source'] | undefined {
  const { code, expression, measure, exists, window } = column
  const given = [code, expression, measure, exists, window].filter((one) => one !== undefined)
  if (given.length !== 1) {
    const count = given.length === 0 ? 'none' : 'several'
    const message = `A column has exactly one of 'code', 'expression', 'measure', 'exists' and 'window'; '${name}' has ${count}`
    context.faults.error('SCHEMA_VALIDATION', segments, message, { onKey: true })
    return undefined
  }
  if (hasForeignKeys({ name, column, segments }, context)) return undefined
  if (measure !== undefined) return measureSource({ ...column, measure }, segments, context)
  if (exists !== undefined) return { kind: 'exists', target: exists, pathName: column.pathName, filters: [] }
  if (window !== undefined) return windowSource(window, object, [...segments, 'window'], context)
  if (code !== undefined) return { kind: 'physical', code }
  const parsed = columnExpression(expression!, [...segments, 'expression'], object, context)
  return parsed && { kind: 'expression', expression: parsed }
}

/** Keys that belong to columns of another kind. */
function hasForeignKeys({ name, column, segments }: Omit<WrittenColumn, 'object'>, { faults }: Context): boolean {
  const found = BESIDE.find(({ key, of }) => column[key] !== undefined && column[of] === undefined)
  if (!found) return false
  const message = `'${found.key}' is for a column with '${found.of}'; '${name}' has none`
  faults.error('SCHEMA_VALIDATION', [...segments, found.key], message, { onKey: true })
  return true
}

const BESIDE = [
  { key: 'grain', of: 'measure' },
  { key: 'usePathNames', of: 'measure' },
  { key: 'filters', of: 'exists' },
  { key: 'pathName', of: 'exists' },
] as const

function* typeComputed(computed: ReadonlyMap<string, Computed>, context: Context): Generator<undefined> {
  const targets = (node: string): string[] => {
    const { source } = entryOf(computed, node)
    return columnsForType(source, context)
      .map((leaf) => nodeName(leaf.object, leaf.column))
      .filter((name) => computed.has(name))
  }
  const { order, cycles } = yield* sortGraph(computed.keys(), targets)
  for (const cycle of cycles) {
    const first = entryOf(computed, firstOf(cycle))
    const circle = [...cycle, firstOf(cycle)].map((node) => `'${node.replace('\0', '.')}'`).join(' → ')
    context.faults.error(
      'CYCLIC_COMPUTED_COLUMN',
      ['dataObjects', first.object, 'columns', first.name, first.source.kind],
      `These columns use each other: ${circle}`,
    )
  }
  for (const node of order) {
    const { object, name, entry, source } = entryOf(computed, node)
    const segments = ['dataObjects', object, 'columns', name]
    const column = madeColumn({ object, name, entry, source }, segments, context)
    if (column) entryOf(context.objects, object).columns.set(name, column)
    yield
  }
}

/** The columns from whose types that of a column follows. */
function columnsForType(source: Computed['source'], context: Context): readonly ColumnRef[] {
  if (source.kind === 'measure') return inputsOf(source.measure, context)
  return source.kind === 'window' ? columnsOfWindow(source) : leavesOf<ColumnRef>(source.expression)
}

function madeColumn({ object, name, entry, source }: Computed, segments: Segments, context: Context): Column | undefined {
  if (source.kind === 'measure') return measureColumn(name, entry, source, segments, context)
  if (source.kind === 'window') return windowColumn(name, entry, source, segments, context)
  const sound = typedOverColumns(source.expression, [...segments, 'expression'], object, context)
  return sound && computedColumn(name, entry, sound, segments, context)
}

/** It has the type of its measure; a type that the author writes beside it must be the same. */
function measureColumn(
  name: string,
  entry: ColumnDocument,
  source: MeasureSource,
  segments: Segments,
  context: Context,
): Column | undefined {
  const type = typeOfMeasured(source, context)
  if (!type) return undefined
  const column = columnOfType({ name, entry, source, type, reason: `the measure '${source.measure}'` }, segments, context)
  const own = typeOfMeasured({ ...source, grain: undefined }, context)
  if (source.grain !== undefined && own && !isTemporal(own)) {
    const message = `'${source.measure}' is ${own.kind}; a grain needs a date or a timestamp`
    context.faults.error('TIME_GRAIN_ON_NON_TEMPORAL', [...segments, 'grain'], message)
  }
  return column
}

interface Found {
  readonly name: string
  readonly entry: ColumnDocument
  readonly source: Column['source']
  readonly type: DataType
  /** Of what its type is. */
  readonly reason: string
}

/** A column whose type is found; one that the author writes beside it must be the same. */
function columnOfType({ name, entry, source, type, reason }: Found, segments: Segments, { faults }: Context): Column {
  const { abstractType: _, sqlType: _sql, ...untyped } = entry
  const column = makeColumn(name, untyped, source, type)
  const { abstractType } = column
  const written = (['abstractType', 'sqlType'] as const).find((key) => entry[key] !== undefined && entry[key] !== abstractType)
  if (written !== undefined) {
    const message = `'${name}' has the type of ${reason}, which is ${abstractType}; remove ${written}`
    faults.error('INVALID_COLUMN', [...segments, written], message)
  }
  return { ...column, isTyped: true }
}

function windowColumn(
  name: string,
  entry: ColumnDocument,
  source: WindowSource,
  segments: Segments,
  context: Context,
): Column | undefined {
  const type = typeOfWindow(source, [...segments, 'window'], context)
  return type && columnOfType({ name, entry, source, type, reason: `'${source.function}' over its column` }, segments, context)
}

/** The conditions of windows, which may be on any column of any type. */
function readWindowFilters({ object, name, entry, source }: Computed, context: Context): void {
  const { columns } = entryOf(context.objects, object)
  const column = columns.get(name)
  if (source.kind !== 'window' || !entry.window || !column) return
  const segments = ['dataObjects', object, 'columns', name, 'window']
  columns.set(name, { ...column, source: withFilters(source, entry.window, object, segments, context) })
}

function existsColumn(name: string, entry: ColumnDocument, source: ExistsSource): Column {
  const { abstractType: _, sqlType: _sql, ...untyped } = entry
  return { ...makeColumn(name, untyped, source, BOOLEAN), isTyped: true }
}

/** Reads which rows are looked for, when all columns have types. A column with a fault in it is none. */
function readTargetOf({ object, name, entry, source }: Existing, context: Context): void {
  const segments = ['dataObjects', object, 'columns', name]
  const { columns } = entryOf(context.objects, object)
  const written = (['abstractType', 'sqlType'] as const).find((key) => entry[key] !== undefined && entry[key] !== 'boolean')
  if (written !== undefined)
    context.faults.error('INVALID_COLUMN', [...segments, written], `'${name}' is true or false; remove ${written}`)
  const { target, pathName } = source
  const at = { target: [...segments, 'exists'], pathName: [...segments, 'pathName'], filters: [...segments, 'filters'] }
  const test = readTarget({ target, pathName, filters: entry.filters ?? [] }, at, context)
  if (test) columns.set(name, existsColumn(name, entry, { kind: 'exists', ...test }))
  else columns.delete(name)
}

function computedColumn(
  name: string,
  entry: ColumnDocument,
  { expression, type }: Typed<ColumnRef>,
  segments: Segments,
  context: Context,
): Column {
  const inferred = valueType<ColumnRef>(expression, (leaf) => columnType(leaf, context), context.functions)
  const declared = declaredType(entry, inferred, segments, context)
  const shown = declared.kind === inferred.kind && declared.kind === 'timestamp' ? inferred : declared
  const column = makeColumn(name, entry, { kind: 'expression', expression }, shown)
  return type === undefined ? column : { ...column, isTyped: true }
}

/** The declared type wins; `float` does not remove the exactness of the formula. */
function declaredType(entry: ColumnDocument, inferred: DataType, segments: Segments, context: Context): DataType {
  if (entry.abstractType === undefined && entry.sqlType === undefined) return inferred
  const declared = physicalType(entry, segments, context)
  return declared.kind === 'float' && inferred.kind === 'decimal' ? inferred : declared
}

/** A stored timestamp without zone is local time in the default zone. */
const storedType = (type: DataType, { document }: Context): DataType =>
  type.kind === 'timestamp' ? writtenTimestamp(document.settings?.defaultTimezone !== undefined) : type

function physicalType(column: ColumnDocument, segments: Segments, context: Context): DataType {
  const sql = column.sqlType === undefined ? undefined : parseDataType(column.sqlType)
  if (column.abstractType === undefined) return sql ?? STRING
  if (column.abstractType !== 'float') return ABSTRACT[column.abstractType]!
  const precision = column.sqlPrecision ?? (sql?.kind === 'decimal' ? sql.precision : undefined)
  const scale = column.sqlScale ?? (sql?.kind === 'decimal' && hasScale(column.sqlType!) ? sql.scale : undefined)
  if (
    precision === undefined ||
    (sql !== undefined && sql.kind !== 'decimal') ||
    !(isDecimalName(column.sqlType) || scale !== undefined)
  )
    return FLOAT
  if (precision > MAX_PRECISION || (scale ?? 0) > precision) {
    const message = `decimal(${precision}, ${scale ?? 0}) is out of bounds: at most ${MAX_PRECISION} digits, of which at most all follow the point`
    context.faults.error(
      'SCHEMA_VALIDATION',
      [...segments, column.sqlPrecision === undefined ? 'sqlType' : 'sqlPrecision'],
      message,
    )
    return FLOAT
  }
  if (column.sqlPrecision === undefined && !hasPrecision(column.sqlType)) return FLOAT
  return decimal(precision, scale ?? 0)
}

/** A plain `numeric` may have any scale, so nothing exact is known of it. */
const hasPrecision = (sqlType: string | undefined): boolean => sqlType?.includes('(') ?? false
const hasScale = (sqlType: string): boolean => sqlType.includes('(')
const isDecimalName = (sqlType: string | undefined): boolean =>
  sqlType !== undefined && parseDataType(sqlType)?.kind === 'decimal'

/** They are texts or numbers of a column of the database. */
function checkTrueValues({ trueValues, abstractType, code }: ColumnDocument, segments: Segments, { faults }: Context): void {
  if (trueValues === undefined) return
  const at = [...segments, 'trueValues']
  if (abstractType !== 'boolean' || code === undefined)
    faults.error('SCHEMA_VALIDATION', at, "trueValues is for columns with a 'code' and 'abstractType: boolean'", { onKey: true })
  else if (new Set(trueValues.map((value) => typeof value)).size > 1)
    faults.error('SCHEMA_VALIDATION', at, 'trueValues are all texts or all numbers, as the column stores them')
}

function makeColumn(name: string, entry: ColumnDocument, source: Column['source'], type: DataType): Column {
  return {
    name,
    source,
    type,
    isTyped: entry.abstractType !== undefined || entry.sqlType !== undefined,
    abstractType: entry.abstractType ?? (type.kind === 'decimal' ? 'float' : type.kind),
    sqlType: entry.sqlType,
    ...(entry.trueValues && { trueValues: entry.trueValues as readonly string[] | readonly number[] }),
    numClass: entry.numClass,
    primaryKey: entry.primaryKey ?? false,
    comment: entry.comment,
    ...describedOf(entry),
  }
}

function checkNumClasses(object: string, columns: ReadonlyMap<string, Column>, context: Context): void {
  for (const column of columns.values()) {
    if (column.numClass === undefined || isNumeric(column.type)) continue
    const message = `'${column.name}' is ${column.type.kind}; numClass is for numeric columns`
    context.faults.error('NUM_CLASS_ON_NON_NUMERIC', ['dataObjects', object, 'columns', column.name, 'numClass'], message)
  }
}

/** Units may name columns of any object, so they are read when all columns are. */
function readUnits(object: string, columns: Map<string, Column>, context: Context): void {
  const written = context.document.dataObjects?.[object]?.columns ?? {}
  for (const column of columns.values()) {
    const unit = readColumnUnit(written[column.name]?.unit, { object, column }, context)
    if (unit) columns.set(column.name, { ...column, unit })
  }
}
