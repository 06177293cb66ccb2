import { isTemporal } from '../data-type.js'
import type { DimensionDocument } from '../document.js'
import { type ColumnRef, type Expr, leavesOf } from '../expression/ast.js'
import { valueType } from '../expression/value-type.js'
import type { Grain } from '../grain.js'
import { reachable } from '../graph.js'
import type { Segments } from '../parse/locate.js'
import type { Dimension } from '../semantic-model.js'
import { binned, namesOfBins } from './bins.js'
import { grainOf } from './calendars.js'
import {
  type Context,
  columnExpression,
  columnType,
  describedOf,
  entriesOf,
  gradedOf,
  isUnderstood,
  keysOf,
  knowsColumn,
  knowsObject,
  typedOverColumns,
} from './context.js'
import { DAY_COLUMN } from './generated-columns.js'
import type { ForwardGraph, SeveralWays } from './join-graph.js'

export interface Graphs {
  /** Including secondary joins, which `via` may use. */
  readonly all: ForwardGraph
  readonly several: readonly SeveralWays[]
}

export function* readDimensions(graphs: Graphs, context: Context): Generator<undefined, ReadonlyMap<string, Dimension>> {
  const dimensions = new Map<string, Dimension>()
  const entries = context.document.dimensions ?? {}
  const ambiguities = new Map(graphs.several.filter((s) => s.taken === undefined).map((s) => [s.to, s]))
  for (const [name, entry] of entriesOf(entries)) {
    yield
    const segments = ['dimensions', name]
    if (context.isBroken(segments)) continue
    const dimension = readDimension(name, entry, segments, context)
    checkHierarchy(entry, segments, entries, context)
    // An error in a column or in the grain is reported once, and not again for the dimension that reads it.
    if (!dimension || !isUnderstood(dimension.expression, context) || !checkTimeGrain(dimension, segments, context)) continue
    dimensions.set(name, dimension)
    if (dimension.via !== undefined) checkVia(dimension, segments, graphs, context)
    else warnOfSeveralPaths(dimension, segments, ambiguities, context)
  }
  return dimensions
}

function readDimension(name: string, entry: DimensionDocument, segments: Segments, context: Context): Dimension | undefined {
  const value = readValue(entry, segments, context)
  if (!value) return undefined
  const type = (expression: Expr<ColumnRef>) =>
    valueType<ColumnRef>(expression, (leaf) => columnType(leaf, context), context.functions)
  const expression = entry.bins
    ? binned({ value: value.expression, type: type(value.expression), bins: entry.bins }, segments, context)
    : value.expression
  return {
    name,
    dataObject: value.dataObject,
    expression,
    column: entry.expression === undefined ? entry.column : undefined,
    type: type(expression),
    resultType: entry.resultType,
    timeGrain: grainOf(entry.timeGrain, [...segments, 'timeGrain'], context) ?? value.grain,
    via: entry.via,
    format: entry.format,
    hidden: entry.hidden ?? false,
    hierarchy: entry.hierarchy ?? [],
    sequence: entry.bins && namesOfBins(entry.bins),
    sortBy: sortColumn(entry, { object: value.dataObject, name }, segments, context),
    ...describedOf(entry),
    ...gradedOf(entry),
  }
}

/** The column that orders the values of a dimension. Bins and periods have an order already, so they have no such column. */
function sortColumn(
  { sortBy: column, bins, timeGrain }: DimensionDocument,
  { object, name }: { readonly object: string; readonly name: string },
  segments: Segments,
  context: Context,
): ColumnRef | undefined {
  const path = [...segments, 'sortBy']
  if (column === undefined || !knowsColumn({ object, column }, path, context)) return undefined
  const ref: ColumnRef = { kind: 'column', object, column }
  const own = bins ? 'bins' : timeGrain === undefined ? undefined : 'a timeGrain'
  const type = columnType(ref, context)
  if (own !== undefined)
    context.faults.error(
      'INVALID_SETTING',
      path,
      `'${name}' has ${own}, whose values have their own order; remove sortBy or ${own}`,
    )
  else if (type.kind === 'json')
    context.faults.error(
      'INVALID_SETTING',
      path,
      `'${object}.${column}' is json, which has no order; name another column of '${object}'`,
    )
  else return ref
  return undefined
}

function readValue(
  entry: DimensionDocument,
  segments: Segments,
  context: Context,
): { dataObject: string; expression: Expr<ColumnRef>; grain?: Grain } | undefined {
  const { dataObject, column } = entry
  if ((column === undefined) === (entry.expression === undefined)) {
    const count = column === undefined ? 'neither' : 'both'
    context.faults.error(
      column === undefined ? 'INCOMPLETE_COLUMN_REF' : 'SCHEMA_VALIDATION',
      segments,
      `A dimension shows a 'column' or an 'expression'; this one has ${count}`,
      { onKey: true },
    )
    return undefined
  }
  if (dataObject !== undefined && !knowsObject(dataObject, [...segments, 'dataObject'], context)) return undefined
  if (column !== undefined) {
    if (dataObject === undefined) {
      context.faults.error('INCOMPLETE_COLUMN_REF', segments, "This dimension lacks its 'dataObject'", { onKey: true })
      return undefined
    }
    if (!knowsColumn({ object: dataObject, column }, [...segments, 'column'], context)) return undefined
    const { grain } = context.objects.get(dataObject)?.columns.get(column) ?? {}
    // The first days of periods of a generated calendar are its day at their grain.
    if (grain) return { dataObject, expression: { kind: 'column', object: dataObject, column: DAY_COLUMN }, grain }
    return { dataObject, expression: { kind: 'column', object: dataObject, column } }
  }
  const written = columnExpression(entry.expression!, [...segments, 'expression'], dataObject, context)
  const expression = written && typedOverColumns(written, [...segments, 'expression'], dataObject, context)?.expression
  if (!expression) return undefined
  const base = dataObject ?? leavesOf<ColumnRef>(expression)[0]?.object
  if (base !== undefined) return { dataObject: base, expression }
  context.faults.error(
    'INCOMPLETE_COLUMN_REF',
    [...segments, 'expression'],
    'This expression reads no column, and the dimension names no dataObject',
  )
  return undefined
}

function checkTimeGrain(dimension: Dimension, segments: Segments, context: Context): boolean {
  if (dimension.timeGrain === undefined || isTemporal(dimension.type)) return true
  const message = `'${dimension.name}' is ${dimension.type.kind}; a timeGrain needs a date or a timestamp`
  context.faults.error('TIME_GRAIN_ON_NON_TEMPORAL', [...segments, 'timeGrain'], message)
  return false
}

function checkVia(dimension: Dimension, segments: Segments, graphs: Graphs, context: Context): void {
  const via = dimension.via!
  const path = [...segments, 'via']
  if (!context.objects.has(via)) {
    context.faults.unknown('INVALID_VIA_DATA_OBJECT', path, {
      message: `'${via}' is not a data object of this model`,
      name: via,
      known: context.objects.keys(),
    })
  } else if (!reachable(via, graphs.all.forward).has(dimension.dataObject)) {
    context.faults.error('INVALID_VIA_DATA_OBJECT', path, `No join leads from '${via}' to '${dimension.dataObject}'`)
  }
}

/** Only a remark: the query may pin a path. */
function warnOfSeveralPaths(
  dimension: Dimension,
  segments: Segments,
  ambiguities: ReadonlyMap<string, SeveralWays>,
  context: Context,
): void {
  const found = ambiguities.get(dimension.dataObject)
  if (!found) return
  const ways = new Set(found.ways).size > 1 ? `by way of ${found.ways.map((way) => `'${way}'`).join(' or ')}` : 'by several joins'
  const message = `'${dimension.dataObject}' is reached from '${found.from}' ${ways}; choose a path with 'via', or pin one in queries`
  context.faults.warn('MISSING_VIA', segments, message, { onKey: true, suggestions: [...new Set(found.ways)] })
}

function checkHierarchy(
  entry: DimensionDocument,
  segments: Segments,
  entries: Readonly<Record<string, unknown>>,
  context: Context,
): void {
  for (const [i, name] of (entry.hierarchy ?? []).entries()) {
    if (Object.hasOwn(entries, name)) continue
    context.faults.unknown('UNKNOWN_DIMENSION', [...segments, 'hierarchy', i], {
      message: `'${name}' is not a dimension of this model`,
      name,
      known: keysOf(entries),
    })
  }
}
