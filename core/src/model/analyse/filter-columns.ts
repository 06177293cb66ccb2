/** The columns that conditions of a model name. */
import { entryOf } from '../../invariant.js'
import type { DimensionDocument, MeasureFilterDocument } from '../document.js'
import type { ColumnRef } from '../expression/ast.js'
import type { Segments } from '../parse/locate.js'
import { type Context, columnOfPair, knowsColumn, knowsObject, splitReference } from './context.js'

/** Where conditions stand. */
export interface FilterContext extends Context {
  /** Set if they may look for rows of other objects; the conditions on such rows may not. */
  readonly mayExist?: boolean
  /** In a policy: the object whose rows it removes, with which the rows that it looks for connect. */
  readonly subject?: string
  /** The object whose columns may be named without it. */
  readonly owner?: string | undefined
}

/** A column of the object whose rows are looked for comes before a dimension, as in a query. */
export const dimensionOf = (field: string, { owner, objects, document }: FilterContext): DimensionDocument | undefined =>
  owner !== undefined && objects.get(owner)?.columnNames.has(field) ? undefined : document.dimensions?.[field]

/** The column of a dimension. A computed dimension, or one with its own path, has none. */
export function columnOfDimension(
  name: string,
  { dataObject, column, via, bins }: DimensionDocument,
  segments: Segments,
  context: Context,
): ColumnRef | undefined {
  if (dataObject !== undefined && column !== undefined && via === undefined && bins === undefined)
    return columnOfPair({ dataObject, column }, segments, context, 'UNKNOWN_FILTER_COLUMN')
  const message = `Dimension '${name}' is not a plain column (it has an expression, bins or a via); write the column as Object.Column`
  context.faults.error('INCOMPLETE_COLUMN_REF', segments, message)
  return undefined
}

export function readColumn(filter: MeasureFilterDocument, segments: Segments, context: FilterContext): ColumnRef | undefined {
  if (filter.column !== undefined) return columnOfPair(filter.column, [...segments, 'column'], context, 'UNKNOWN_FILTER_COLUMN')
  if (filter.field === undefined) {
    context.faults.error(
      'INCOMPLETE_COLUMN_REF',
      segments,
      "A filter needs a 'column' with its dataObject, a 'field': a dimension, or Object.Column, or an 'expression'",
    )
    return undefined
  }
  const { owner, objects } = context
  if (owner !== undefined && objects.get(owner)?.columnNames.has(filter.field))
    return { kind: 'column', object: owner, column: filter.field }
  return readField(filter.field, [...segments, 'field'], context)
}

/** `Object.Column`, where both names may contain dots, or `{[Object].[Column]}`. */
function readField(field: string, segments: Segments, context: Context): ColumnRef | undefined {
  const bracketed = splitReference(/^\{.*\}$/s.test(field) ? field.slice(1, -1) : field)
  if (bracketed?.object !== undefined)
    return columnOfPair({ dataObject: bracketed.object, column: bracketed.name }, segments, context, 'UNKNOWN_FILTER_COLUMN')
  const splits = [...field.matchAll(/\./g)].map((match) => ({
    object: field.slice(0, match.index),
    column: field.slice(match.index + 1),
  }))
  const known = splits.filter(({ object }) => context.objects.has(object))
  const exact = known.find(({ object, column }) => entryOf(context.objects, object).columnNames.has(column)) ?? known[0]
  if (exact) {
    if (!knowsColumn({ object: exact.object, column: exact.column }, segments, context, { code: 'UNKNOWN_FILTER_COLUMN' }))
      return undefined
    return { kind: 'column', object: exact.object, column: exact.column }
  }
  if (splits[0]) knowsObject(splits[0].object, segments, context)
  else
    context.faults.error(
      'INCOMPLETE_COLUMN_REF',
      segments,
      `'${field}' is neither a dimension nor a column of a data object; write Object.Column`,
    )
  return undefined
}

/** Whether a query may filter on it: a dimension, in any case, or `Object.Column`. */
export function isField(field: string, context: Context): boolean {
  const dimensions = context.document.dimensions ?? {}
  if (Object.hasOwn(dimensions, field) || Object.keys(dimensions).some((name) => name.toLowerCase() === field.toLowerCase()))
    return true
  return [...field.matchAll(/\./g)].some(({ index }) =>
    context.objects.get(field.slice(0, index))?.columnNames.has(field.slice(index + 1)),
  )
}
