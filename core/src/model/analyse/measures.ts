import { entryOf } from '../../invariant.js'
import { type DataType, isNumeric, isTemporal, parseDataType } from '../data-type.js'
import type { ColumnPairDocument, MeasureDocument } from '../document.js'
import { type ColumnRef, type Expr, leavesOf } from '../expression/ast.js'
import { valueType } from '../expression/value-type.js'
import { AGGREGATE_ALIASES, BOOLEAN_AGGREGATES, MEANT_AGGREGATES, NUMERIC_AGGREGATES } from '../functions/aggregates.js'
import type { Segments } from '../parse/locate.js'
import type { Dimension, Measure, MeasureGrain } from '../semantic-model.js'
import {
  type Context,
  columnExpression,
  columnOfPair,
  columnType,
  describedOf,
  entriesOf,
  gradedOf,
  keysOf,
  knowsObject,
  typedOverColumns,
} from './context.js'
import { readMeasureFilters } from './filters.js'
import { readUnit } from './units.js'

export function* readMeasures(
  dimensions: ReadonlyMap<string, Dimension>,
  context: Context,
): Generator<undefined, Map<string, Measure>> {
  const measures = new Map<string, Measure>()
  for (const [name, entry] of entriesOf(context.document.measures)) {
    yield
    const segments = ['measures', name]
    if (context.isBroken(segments)) continue
    const measure = readMeasure({ name, entry, segments }, dimensions, context)
    if (measure) measures.set(name, measure)
  }
  return measures
}

/** A measure as the model writes it, and its place. */
interface WrittenMeasure {
  readonly name: string
  readonly entry: MeasureDocument
  readonly segments: Segments
}

function readMeasure(
  { name, entry, segments }: WrittenMeasure,
  dimensions: ReadonlyMap<string, Dimension>,
  context: Context,
): Measure | undefined {
  const aggregation = readAggregation(entry, segments, context)
  const inputs = readInputs(entry, segments, context)
  if (aggregation && inputs) checkInputs({ name, aggregation, inputs, entry }, segments, context)
  const filters = readMeasureFilters(entry.filters ?? [], [...segments, 'filters'], context)
  const single = entry.filter ? readMeasureFilters([entry.filter], [...segments, 'filter'], context) : []
  const withinGroup = entry.withinGroup && readOrder(entry.withinGroup, [...segments, 'withinGroup'], context)
  if (entry.withinGroup) checkWithinGroup({ entry, order: withinGroup, inputs }, segments, context)
  const orderBy = (entry.orderBy ?? []).flatMap((order, i) => readOrder(order, [...segments, 'orderBy', i], context) ?? [])
  if (entry.anchor !== undefined) knowsObject(entry.anchor, [...segments, 'anchor'], context)
  const dataType = readDataType(entry.dataType, segments, context)
  const grain = readGrain(entry, 'grain', segments, context)
  if (entry.total && entry.grain) {
    const message = "'total' means an empty grain; a measure has either 'total' or 'grain'"
    context.faults.error('INVALID_SETTING', [...segments, 'grain'], message, { onKey: true })
  }
  const filterContext = readGrain(entry, 'filterContext', segments, context)
  const semiAdditive = readSemiAdditive(entry, segments, dimensions, context)
  if (!aggregation || !inputs) return undefined
  return {
    name,
    aggregation,
    inputs,
    distinct: (entry.distinct ?? false) && aggregation !== 'count_distinct',
    filters: [...filters, ...single],
    dataType,
    resultType: entry.resultType,
    rowCountOf: aggregation === 'count' && inputs.length === 0 ? entry.anchor : undefined,
    anchor: entry.anchor,
    allowFanOut: entry.allowFanOut ?? false,
    defaultValue: entry.defaultValue,
    delimiter: entry.delimiter,
    withinGroup,
    orderBy,
    percentile: entry.percentile,
    format: entry.format,
    unit: readUnit(entry.unit, { segments, owner: undefined }, context),
    total: entry.total ?? false,
    grain,
    filterContext,
    semiAdditive,
    ...describedOf(entry),
    ...gradedOf(entry),
  }
}

/** The canonical name of an aggregation; a distinct count is `count_distinct`. */
function readAggregation(entry: MeasureDocument, segments: Segments, context: Context): string | undefined {
  const spelled = entry.aggregation.toLowerCase()
  const name = AGGREGATE_ALIASES.get(spelled) ?? spelled
  if (!context.aggregates.has(name)) {
    const path = [...segments, 'aggregation']
    const message = `'${entry.aggregation}' is not an aggregation`
    const meant = MEANT_AGGREGATES.get(spelled)
    if (meant !== undefined)
      context.faults.error('SCHEMA_VALIDATION', path, `${message}; write '${meant}'`, { suggestions: [meant] })
    else {
      const known = [...context.aggregates.keys(), ...AGGREGATE_ALIASES.keys()]
      context.faults.unknown('SCHEMA_VALIDATION', path, { message, name: spelled, known })
    }
    return undefined
  }
  return name === 'count' && entry.distinct ? 'count_distinct' : name
}

function readInputs(entry: MeasureDocument, segments: Segments, context: Context): Expr<ColumnRef>[] | undefined {
  const columns: readonly ColumnPairDocument[] = entry.columns ?? []
  if (entry.expression === undefined) {
    const refs = columns.map((pair, i) => columnOfPair(pair, [...segments, 'columns', i], context))
    return refs.every((ref) => ref !== undefined) ? refs : undefined
  }
  if (columns.length > 0) {
    context.faults.error(
      'INVALID_AGGREGATION_INPUTS',
      [...segments, 'columns'],
      "A measure has 'columns' or an 'expression', not both",
      { onKey: true },
    )
    return undefined
  }
  const path = [...segments, 'expression']
  const written = columnExpression(entry.expression, path, undefined, context)
  const sound = written && typedOverColumns(written, path, undefined, context)
  return sound && [sound.expression]
}

/** The inputs of an aggregation, as the model writes them. */
interface WrittenInputs {
  readonly name: string
  readonly aggregation: string
  readonly inputs: readonly Expr<ColumnRef>[]
  readonly entry: MeasureDocument
}

function checkInputs({ name, aggregation, inputs, entry }: WrittenInputs, segments: Segments, context: Context): void {
  const bad = (message: string, key?: string): void =>
    context.faults.error(
      'INVALID_AGGREGATION_INPUTS',
      key === undefined ? segments : [...segments, key],
      message,
      key === undefined ? { onKey: true } : {},
    )
  const [least, most] = entryOf(context.aggregates, aggregation).arity
  if (inputs.length < least || inputs.length > most) {
    const wanted = least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`
    bad(`${aggregation} takes ${wanted} input${wanted === '1' ? '' : 's'}; '${name}' has ${inputs.length}`)
  } else if (inputs.length === 0 && entry.anchor === undefined) {
    bad("A count without columns counts the rows of its 'anchor', which is missing")
  }
  for (const [i, input] of inputs.entries()) {
    const key = entry.expression === undefined ? 'columns' : 'expression'
    const type = inputType(input, context)
    const fault = type && typeFault(aggregation, type)
    if (fault)
      context.faults.error(
        'INVALID_AGGREGATION_INPUTS',
        entry.expression === undefined ? [...segments, key, i] : [...segments, key],
        fault,
      )
  }
  if (aggregation === 'percentile' && entry.percentile === undefined)
    bad("percentile needs 'percentile', a fraction such as 0.95")
  if (
    (aggregation === 'first' || aggregation === 'last') &&
    (entry.orderBy ?? []).length === 0 &&
    !isKeyed(inputs, entry, context)
  )
    bad(`${aggregation} needs 'orderBy', or a primaryKey that orders the rows`)
}

/** Whether a key may order the rows. If several objects are possible, the query decides whose rows they are. */
function isKeyed(inputs: readonly Expr<ColumnRef>[], entry: MeasureDocument, context: Context): boolean {
  const bases =
    entry.anchor === undefined
      ? new Set(inputs.flatMap((input) => leavesOf<ColumnRef>(input)).map((leaf) => leaf.object))
      : new Set([entry.anchor])
  return bases.size !== 1 || [...bases].some((base) => (context.objects.get(base)?.object?.key.length ?? 1) > 0)
}

/** Undefined if a column is invalid: it has been reported already. */
function inputType(input: Expr<ColumnRef>, context: Context): DataType | undefined {
  let sound = true
  const type = valueType<ColumnRef>(
    input,
    (leaf) => {
      sound &&= context.objects.get(leaf.object)?.columns.has(leaf.column) ?? false
      return columnType(leaf, context)
    },
    context.functions,
  )
  return sound ? type : undefined
}

function typeFault(aggregation: string, type: DataType): string | undefined {
  if (NUMERIC_AGGREGATES.has(aggregation) && !isNumeric(type)) return `${aggregation} takes numbers, not ${type.kind}`
  if (BOOLEAN_AGGREGATES.has(aggregation) && type.kind !== 'boolean') return `${aggregation} takes a condition, not ${type.kind}`
  if (type.kind === 'json' && ['min', 'max', 'any_value', 'mode'].includes(aggregation))
    return `${aggregation} needs values that can be ordered, not json`
  return undefined
}

function readOrder(
  order: { readonly column: ColumnPairDocument; readonly order?: string },
  segments: Segments,
  context: Context,
): { readonly column: ColumnRef; readonly descending: boolean } | undefined {
  const column = columnOfPair(order.column, [...segments, 'column'], context)
  return column && { column, descending: order.order?.toLowerCase() === 'desc' }
}

/** The order of the values inside an aggregate. */
interface WithinGroup {
  readonly entry: MeasureDocument
  readonly order: { readonly column: ColumnRef } | undefined
  readonly inputs: readonly Expr<ColumnRef>[] | undefined
}

function checkWithinGroup({ entry, order, inputs }: WithinGroup, segments: Segments, context: Context): void {
  const path = [...segments, 'withinGroup']
  if (entry.aggregation.toLowerCase() !== 'listagg') {
    context.faults.error('INVALID_AGGREGATION_INPUTS', path, 'withinGroup orders the values of a listagg')
  } else if (entry.distinct && order && inputs && !inputs.some((input) => sameColumn(input, order.column))) {
    context.faults.error('WITHIN_GROUP_NOT_IN_DISTINCT_ARGS', path, 'A distinct listagg can be ordered by its own value only')
  }
}

const sameColumn = (input: Expr<ColumnRef>, column: ColumnRef): boolean =>
  input.kind === 'column' && input.object === column.object && input.column === column.column

/** The declared type of a measure or metric; reports an invalid type. */
export function readDataType(text: string | undefined, segments: Segments, context: Context): DataType | undefined {
  if (text === undefined) return undefined
  const type = parseDataType(text)
  if (!type)
    context.faults.error(
      'SCHEMA_VALIDATION',
      [...segments, 'dataType'],
      `'${text.slice(0, 60)}' is not a type such as decimal(18, 2) or bigint`,
    )
  return type
}

function readGrain(
  entry: MeasureDocument,
  key: 'grain' | 'filterContext',
  segments: Segments,
  context: Context,
): MeasureGrain | undefined {
  const grain = entry[key]
  if (!grain) return undefined
  const lists = { include: grain.include ?? [], exclude: grain.exclude ?? [], keepOnly: grain.keepOnly ?? [] }
  for (const [list, names] of Object.entries(lists)) {
    for (const [i, name] of names.entries()) checkDimension(name, [...segments, key, list, i], context, 'UNKNOWN_GRAIN_DIMENSION')
  }
  return { mode: grain.mode?.toUpperCase() === 'FIXED' ? 'FIXED' : 'RELATIVE', ...lists }
}

/** Reports a dimension that is not declared; `Name:grain` is read as `Name`. */
export function checkDimension(
  name: string,
  segments: Segments,
  context: Context,
  code: 'UNKNOWN_GRAIN_DIMENSION' | 'UNKNOWN_PARTITION_DIMENSION' | 'UNKNOWN_DIMENSION',
): boolean {
  const known = context.document.dimensions ?? {}
  const plain = name.replace(/:\w+$/, '')
  if (Object.hasOwn(known, name) || Object.hasOwn(known, plain)) return true
  context.faults.unknown(code, segments, {
    message: `'${name}' is not a dimension of this model`,
    name: plain,
    known: keysOf(known),
  })
  return false
}

/** Reports a time dimension that is not declared, or is not a time. */
export function checkTimeDimension(
  name: string,
  segments: Segments,
  dimensions: ReadonlyMap<string, Dimension>,
  context: Context,
): void {
  if (!checkDimension(name, segments, context, 'UNKNOWN_DIMENSION')) return
  const dimension = dimensions.get(name) ?? dimensions.get(name.replace(/:\w+$/, ''))
  if (dimension && !isTemporal(dimension.type)) {
    context.faults.error(
      'TIME_GRAIN_ON_NON_TEMPORAL',
      segments,
      `'${name}' is ${dimension.type.kind}; a time dimension is a date or a timestamp`,
    )
  }
}

function readSemiAdditive(
  entry: MeasureDocument,
  segments: Segments,
  dimensions: ReadonlyMap<string, Dimension>,
  context: Context,
): Measure['semiAdditive'] {
  const semi = entry.semiAdditive
  if (!semi) return undefined
  const path = [...segments, 'semiAdditive']
  checkTimeDimension(semi.timeDimension, [...path, 'timeDimension'], dimensions, context)
  for (const [i, name] of (semi.per ?? []).entries()) checkDimension(name, [...path, 'per', i], context, 'UNKNOWN_DIMENSION')
  return { timeDimension: semi.timeDimension, take: semi.take, per: semi.per ?? [] }
}
