import { entryOf, firstOf } from '../../invariant.js'
import {
  BOOLEAN,
  DATE,
  type DataType,
  decimal,
  FLOAT,
  INT,
  isNumeric,
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
import { type ColumnRef, type Expr, leavesOf } from '../expression/ast.js'
import type { Typed } from '../expression/typed.js'
import { valueType } from '../expression/value-type.js'
import { sortGraph } from '../graph.js'
import type { Segments } from '../parse/locate.js'
import type { Column } from '../semantic-model.js'
import { type Context, columnExpression, columnType, describedOf, entriesOf, typedOverColumns } from './context.js'

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

interface Computed {
  readonly object: string
  readonly name: string
  readonly entry: ColumnDocument
  readonly expression: Expr<ColumnRef>
}

/** Completes the columns of every object: physical ones first, then computed ones in the order of their references. */
export function* readColumns(context: Context): Generator<undefined> {
  const computed = new Map<string, Computed>()
  for (const [object, entry] of entriesOf(context.document.dataObjects)) {
    const draft = entryOf(context.objects, object)
    for (const [name, column] of entriesOf(entry.columns)) {
      yield
      const segments = ['dataObjects', object, 'columns', name]
      if (context.isBroken(segments)) continue
      const source = readSource({ object, name, column, segments }, context)
      if (source === undefined) continue
      checkTrueValues(column, segments, context)
      if (source.kind === 'physical')
        draft.columns.set(name, makeColumn(name, column, source, storedType(physicalType(column, segments, context), context)))
      else computed.set(nodeName(object, name), { object, name, entry: column, expression: source.expression })
    }
  }
  yield* typeComputed(computed, context)
  for (const [object, draft] of context.objects) {
    checkNumClasses(object, draft.columns, context)
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
  const { code, expression } = column
  if ((code === undefined) === (expression === undefined)) {
    const message = `A column has exactly one of 'code' and 'expression'; '${name}' has ${code === undefined ? 'none' : 'both'}`
    context.faults.error('SCHEMA_VALIDATION', segments, message, { onKey: true })
    return undefined
  }
  if (code !== undefined) return { kind: 'physical', code }
  const parsed = columnExpression(expression!, [...segments, 'expression'], object, context)
  return parsed && { kind: 'expression', expression: parsed }
}

function* typeComputed(computed: ReadonlyMap<string, Computed>, context: Context): Generator<undefined> {
  const targets = (node: string): string[] => {
    const leaves = leavesOf<ColumnRef>(entryOf(computed, node).expression)
    return leaves.map((leaf) => nodeName(leaf.object, leaf.column)).filter((name) => computed.has(name))
  }
  const { order, cycles } = yield* sortGraph(computed.keys(), targets)
  for (const cycle of cycles) {
    const first = entryOf(computed, firstOf(cycle))
    const circle = [...cycle, firstOf(cycle)].map((node) => `'${node.replace('\0', '.')}'`).join(' → ')
    context.faults.error(
      'CYCLIC_COMPUTED_COLUMN',
      ['dataObjects', first.object, 'columns', first.name, 'expression'],
      `These columns use each other: ${circle}`,
    )
  }
  for (const node of order) {
    const { object, name, entry, expression } = entryOf(computed, node)
    const segments = ['dataObjects', object, 'columns', name]
    const sound = typedOverColumns(expression, [...segments, 'expression'], object, context)
    if (sound) entryOf(context.objects, object).columns.set(name, computedColumn(name, entry, sound, segments, context))
    yield
  }
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
