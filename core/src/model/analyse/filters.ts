import { entryOf } from '../../invariant.js'
import { type DataType, formatDataType, isNumeric, isTemporal } from '../data-type.js'
import type {
  DimensionDocument,
  MeasureFilterDocument,
  PlainValue,
  StaticFilterDocument,
  TypedValue,
  WrittenValue,
} from '../document.js'
import type { ColumnRef } from '../expression/ast.js'
import { dotted } from '../faults.js'
import { OR_MISSING_OF_GROUP, operatorFault, orMissingFault, valueFault, valueFits } from '../filter-value.js'
import { type Operator, operatorOf, operatorSpellings, specOf } from '../operators.js'
import { isReference, type ParameterReference } from '../parameter.js'
import type { Segments } from '../parse/locate.js'
import type { FilterValue, ModelCondition, StaticFilter } from '../semantic-model.js'
import {
  type Context,
  columnExpression,
  columnOfPair,
  columnType,
  knowsColumn,
  knowsObject,
  splitReference,
  typedOverColumns,
} from './context.js'

const MAX_DEPTH = 64

/** The conditions of a measure, in both spellings; invalid ones are reported and ignored. */
export function readMeasureFilters(
  filters: readonly MeasureFilterDocument[],
  segments: Segments,
  context: Context,
): ModelCondition[] {
  return filters.flatMap((filter, i) => readCondition(filter, [...segments, i], context, 0) ?? [])
}

export function readCondition(
  filter: MeasureFilterDocument,
  segments: Segments,
  context: Context,
  depth = 0,
): ModelCondition | undefined {
  if (depth > MAX_DEPTH) {
    context.faults.error('SCHEMA_VALIDATION', segments, `Filters are nested deeper than ${MAX_DEPTH} levels`)
    return undefined
  }
  if (filter.expression !== undefined) return readExpression(filter, filter.expression, segments, context)
  return filter.filters === undefined
    ? readLeaf(filter, segments, context)
    : readGroup({ filter, members: filter.filters }, segments, context, depth)
}

/** A condition over the columns of one or several objects, as in the `where` of a query. */
function readExpression(
  filter: MeasureFilterDocument,
  text: string,
  segments: Segments,
  context: Context,
): ModelCondition | undefined {
  const path = [...segments, 'expression']
  const beside = (['column', 'field', 'operator', 'op', 'values', 'value', 'filters', 'orMissing'] as const).find(
    (key) => filter[key] !== undefined,
  )
  if (beside !== undefined) {
    context.faults.error('SCHEMA_VALIDATION', segments, `A filter has an 'expression' or '${beside}', not both`)
    return undefined
  }
  const written = columnExpression(text, path, undefined, context)
  const sound = written && typedOverColumns(written, path, undefined, context)
  if (!sound) return undefined
  if (sound.type === undefined || sound.type.kind === 'boolean') return { kind: 'expression', expression: sound.expression }
  const message = `A filter is a condition; this expression is ${formatDataType(sound.type)}`
  context.faults.error('EXPRESSION_TYPE_MISMATCH', path, message)
  return undefined
}

interface FilterGroup {
  readonly filter: MeasureFilterDocument
  readonly members: readonly MeasureFilterDocument[]
}

function readGroup({ filter, members }: FilterGroup, segments: Segments, context: Context, depth: number): ModelCondition {
  const filters = members.flatMap((member, i) => readCondition(member, [...segments, 'filters', i], context, depth + 1) ?? [])
  const { logic = 'and', negated = false, orMissing = false } = filter
  if (orMissing && !negated) context.faults.error('INVALID_FILTER_VALUE', [...segments, 'orMissing'], asKey(OR_MISSING_OF_GROUP))
  return { kind: 'group', logic, filters, negated, ...(orMissing && { orMissing }) }
}

/** As models write it. */
const asKey = (message: string): string => message.replaceAll('or_missing', 'orMissing')

function readLeaf(filter: MeasureFilterDocument, segments: Segments, context: Context): ModelCondition | undefined {
  const dimension =
    filter.column === undefined && filter.field !== undefined ? context.document.dimensions?.[filter.field] : undefined
  const column = dimension
    ? columnOfDimension(filter.field!, dimension, [...segments, 'field'], context)
    : readColumn(filter, segments, context)
  const spelling = filter.operator ?? filter.op
  if (spelling === undefined) {
    context.faults.error('SCHEMA_VALIDATION', segments, "A filter needs an 'operator', or 'filters' when it is a group")
    return undefined
  }
  const key = filter.operator === undefined ? 'op' : 'operator'
  const given = { values: filter.values, value: filter.value, orMissing: filter.orMissing }
  const test = column && readTest({ column, spelling, operatorAt: [...segments, key], given }, segments, context)
  const grain = dimension?.timeGrain === undefined ? undefined : context.grains.get(dimension.timeGrain)
  return test?.kind === 'leaf' && grain ? { ...test, grain } : test
}

/** The column of a dimension. A computed dimension, or one with its own path, has none. */
function columnOfDimension(
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

function readColumn(filter: MeasureFilterDocument, segments: Segments, context: Context): ColumnRef | undefined {
  if (filter.column !== undefined) return columnOfPair(filter.column, [...segments, 'column'], context, 'UNKNOWN_FILTER_COLUMN')
  if (filter.field === undefined) {
    context.faults.error(
      'INCOMPLETE_COLUMN_REF',
      segments,
      "A filter needs a 'column' with its dataObject, a 'field': a dimension, or Object.Column, or an 'expression'",
    )
    return undefined
  }
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

interface GivenValues {
  readonly values: readonly (TypedValue | PlainValue)[] | undefined
  readonly value: WrittenValue | undefined
  readonly orMissing: boolean | undefined
}

/** A comparison as it is written. */
interface WrittenTest {
  readonly column: ColumnRef
  readonly spelling: string
  readonly operatorAt: Segments
  readonly given: GivenValues
}

function readTest(
  { column, spelling, operatorAt, given }: WrittenTest,
  segments: Segments,
  context: Context,
): ModelCondition | undefined {
  const operator = operatorOf(spelling)
  if (operator === undefined) {
    context.faults.unknown('INVALID_FILTER_OPERATOR', operatorAt, {
      message: `'${spelling}' is not an operator`,
      name: spelling,
      known: operatorSpellings(),
    })
    return undefined
  }
  const type = columnType(column, context)
  const broken = context.objects.get(column.object)?.columns.has(column.column) !== true
  const count = specOf(operator).takes
  if (count === 'relative' || count === 'subquery') {
    context.faults.error(
      'INVALID_FILTER_OPERATOR',
      operatorAt,
      `'${spelling}' is for queries; a filter of the model compares with plain values`,
    )
    return undefined
  }
  const unusable = broken ? undefined : operatorFault(operator, type)
  if (unusable !== undefined) {
    context.faults.error('INVALID_FILTER_OPERATOR', operatorAt, unusable)
    return undefined
  }
  const valuesAt = [...segments, given.values === undefined ? 'value' : 'values']
  const values = listValues(given)
  const references = values.filter(isReference)
  if (!references.every((reference) => knowsParameter(reference, valuesAt, context))) return undefined
  const plain = values.filter((value): value is FilterValue => !isReference(value))
  const fault =
    referenceFault(references, { operator, type, count: values.length }, context) ??
    (references.some(({ parameter }) => context.parameters.get(parameter)?.list)
      ? undefined
      : countFault(operator, values.length)) ??
    plain.map((value) => valueFault(operator, value)).find(Boolean)
  const misfit = broken ? undefined : plain.find((value) => !operator.startsWith('length_') && !valueFits(value, type))
  if (fault === undefined && misfit === undefined) {
    const unkept = given.orMissing ? orMissingFault(operator, plain) : undefined
    if (unkept === undefined)
      return { kind: 'leaf', column, operator, values, ...(given.orMissing && { orMissing: true }), path: dotted(segments) }
    context.faults.error('INVALID_FILTER_VALUE', [...segments, 'orMissing'], asKey(unkept))
    return undefined
  }
  const message = fault ?? `${JSON.stringify(misfit)} does not fit '${column.column}', which is ${formatDataType(type)}`
  context.faults.error(
    'INVALID_FILTER_VALUE',
    given.values === undefined && given.value === undefined ? segments : valuesAt,
    message,
  )
  return undefined
}

function listValues({ values, value }: Pick<GivenValues, 'values' | 'value'>): (FilterValue | ParameterReference)[] {
  if (values !== undefined) return values.map(plainValue)
  if (value === undefined) return []
  return isList(value) ? [...value] : [value]
}

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value)

function knowsParameter({ parameter }: ParameterReference, segments: Segments, { parameters, faults }: Context): boolean {
  if (parameters.has(parameter)) return true
  const message = `'${parameter}' is not a parameter of this model`
  faults.unknown('UNKNOWN_PARAMETER', segments, { message, name: parameter, known: parameters.keys() })
  return false
}

interface Compared {
  readonly operator: Operator
  readonly type: DataType
  readonly count: number
}

/** Whether the parameters of a comparison are of its type, and lists where it takes one. */
function referenceFault(
  references: readonly ParameterReference[],
  { operator, type, count }: Compared,
  { parameters }: Context,
): string | undefined {
  for (const { parameter } of references) {
    const { type: given, list } = entryOf(parameters, parameter)
    const { of, takes } = specOf(operator)
    if (list && (takes !== 'list' || count > 1))
      return takes === 'list'
        ? `'${parameter}' is a list; write it alone`
        : `'${parameter}' is a list, and '${operator}' takes none`
    if (of === 'lengths' ? given.kind !== 'int' : familyOf(given) !== familyOf(type))
      return `the parameter '${parameter}' is ${formatDataType(given)}, and is compared with ${of === 'lengths' ? 'a number of characters (int)' : formatDataType(type)}`
  }
  return undefined
}

const familyOf = (type: DataType): string => (isNumeric(type) ? 'number' : isTemporal(type) ? 'moment' : type.kind)

function plainValue(value: TypedValue | PlainValue): FilterValue | ParameterReference {
  if (typeof value !== 'object' || value === null) return value
  if (value.parameter !== undefined) return { parameter: value.parameter }
  return value.valueString ?? value.valueInt ?? value.valueFloat ?? value.valueBoolean ?? value.valueDate ?? null
}

function countFault(operator: Operator, given: number): string | undefined {
  switch (specOf(operator).takes) {
    case 'none':
      return given === 0 ? undefined : `'${operator}' takes no value`
    case 'one':
      return given === 1 ? undefined : `'${operator}' takes one value, not ${given}`
    case 'two':
      return given === 2 ? undefined : `'${operator}' takes two values, not ${given}`
    default:
      return undefined
  }
}

export function readStaticFilters(filters: readonly StaticFilterDocument[], context: Context): StaticFilter[] {
  return filters.flatMap((filter, i) => {
    const segments = ['filters', i]
    if (context.isBroken(segments)) return []
    const column = columnOfPair(filter, segments, context, 'UNKNOWN_FILTER_COLUMN')
    const given = { values: filter.values, value: filter.value, orMissing: filter.orMissing }
    const condition =
      column && readTest({ column, spelling: filter.operator, operatorAt: [...segments, 'operator'], given }, segments, context)
    return condition ? [{ dataObject: filter.dataObject, condition }] : []
  })
}
