/** Window functions over the rows of an object, as columns of it. */
import { entryOf } from '../../invariant.js'
import { columnsOfWindow } from '../columns-read.js'
import { type DataType, formatDataType, INT, isNumeric } from '../data-type.js'
import type { WindowDocument } from '../document.js'
import type { ColumnRef } from '../expression/ast.js'
import type { Segments } from '../parse/locate.js'
import type { WindowSource } from '../semantic-model.js'
import { sumsToInt } from '../sums-to-int.js'
import { type Context, columnType, knowsColumn } from './context.js'
import { readTargetFilters } from './filters.js'

type WindowFunction = WindowSource['function']

const RANKS: ReadonlySet<WindowFunction> = new Set(['rank', 'dense_rank'])
const MOVES: ReadonlySet<WindowFunction> = new Set(['lag', 'lead'])
/** What they read: a column, or none; `count` may do both. */
const READS: ReadonlySet<WindowFunction> = new Set(['lag', 'lead', 'first_value', 'last_value', 'sum'])
const READS_NOTHING: ReadonlySet<WindowFunction> = new Set(['row_number', 'rank', 'dense_rank'])

/** The window of a column, without its filters; `undefined` if it names an unknown column, which is reported. */
export function windowSource(
  window: WindowDocument,
  object: string,
  segments: Segments,
  context: Context,
): WindowSource | undefined {
  const fault = faultOf(window)
  if (fault) {
    context.faults.error('INVALID_COLUMN', [...segments, ...fault.at], fault.message)
    return undefined
  }
  const { function: name, partitionBy = [], orderBy = [], column, direction = 'asc', offset = 1 } = window
  const own = (column: string, ...at: Segments): ColumnRef | undefined =>
    knowsColumn({ object, column }, [...segments, ...at], context) ? { kind: 'column', object, column } : undefined
  const listed = (key: 'partitionBy' | 'orderBy', names: readonly string[]) => names.map((one, i) => own(one, key, i))
  const [parts, order] = [listed('partitionBy', partitionBy), listed('orderBy', orderBy)]
  const read = column === undefined ? undefined : own(column, 'column')
  if ([...parts, ...order].includes(undefined) || (column !== undefined && !read)) return undefined
  return {
    kind: 'window',
    function: name,
    partitionBy: parts.filter(isKnown),
    orderBy: order.filter(isKnown),
    column: read,
    descending: direction === 'desc',
    offset,
    filters: [],
  }
}

const isKnown = (ref: ColumnRef | undefined): ref is ColumnRef => ref !== undefined

interface Fault {
  readonly at: Segments
  readonly message: string
}

/** Keys that the function needs, or has no use for. */
function faultOf({ function: name, column, offset, orderBy = [], direction }: WindowDocument): Fault | undefined {
  if (READS.has(name) && column === undefined) return { at: [], message: `'${name}' reads a column; name it with column` }
  if (READS_NOTHING.has(name) && column !== undefined)
    return { at: ['column'], message: `'${name}' reads no column; remove column, or order the rows by it with orderBy` }
  if (!MOVES.has(name) && offset !== undefined)
    return { at: ['offset'], message: `offset is for lag and lead, and '${name}' reads no other row` }
  if (RANKS.has(name) && orderBy.length === 0)
    return { at: [], message: `'${name}' needs orderBy: without it all rows have the rank 1` }
  if (direction !== undefined && orderBy.length === 0)
    return { at: ['direction'], message: 'direction is for the columns of orderBy, and there are none' }
  return undefined
}

/** The type of its values; `undefined` if a column has none, or is of a type that does not fit, which is reported. */
export function typeOfWindow(source: WindowSource, segments: Segments, context: Context): DataType | undefined {
  const { function: name, partitionBy, orderBy, column } = source
  if (columnsOfWindow(source).some(({ object, column: one }) => !context.objects.get(object)?.columns.has(one))) return undefined
  for (const [key, refs] of Object.entries({ partitionBy, orderBy })) {
    const i = refs.findIndex((ref) => columnType(ref, context).kind === 'json')
    const message = `'${refs[i]?.column}' is json, and such values have no order and are never equal; use a value of it in a computed column`
    if (i >= 0) return refused([...segments, key, i], message, context)
  }
  if (!column || name === 'count') return INT
  const type = columnType(column, context)
  if (name !== 'sum') return type
  if (!isNumeric(type))
    return refused([...segments, 'column'], `'${column.column}' is ${formatDataType(type)}; a sum needs numbers`, context)
  const isInt = sumsToInt(column, (ref) => context.objects.get(ref.object)?.columns.get(ref.column))
  return isInt ? INT : entryOf(context.aggregates, 'sum').result([type])
}

function refused(segments: Segments, message: string, { faults }: Context): undefined {
  faults.error('INVALID_COLUMN', segments, message)
  return undefined
}

/** With its filters, which are read when all columns have types. */
export const withFilters = (
  source: WindowSource,
  { filters = [] }: WindowDocument,
  object: string,
  segments: Segments,
  context: Context,
): WindowSource => ({ ...source, filters: readTargetFilters(filters, object, [...segments, 'filters'], context) })
