import { entryOf } from '../../invariant.js'
import { type DataType, formatDataType, isNumeric, isTemporal } from '../data-type.js'
import type { MeasureFilterDocument, PlainValue, StaticFilterDocument, TypedValue, WrittenValue } from '../document.js'
import type { ColumnRef } from '../expression/ast.js'
import { dotted } from '../faults.js'
import { OR_MISSING_OF_GROUP, operatorFault, orMissingFault, valueFault, valueFits } from '../filter-value.js'
import type { Grain } from '../grain.js'
import { type Operator, operatorOf, operatorSpellings, specOf } from '../operators.js'
import { isReference, type ParameterReference } from '../parameter.js'
import type { Segments } from '../parse/locate.js'
import { dayNamed } from '../period-names.js'
import type { ExistsCondition, ExistsTest, FilterValue, ModelCondition, StaticFilter } from '../semantic-model.js'
import { type Context, columnExpression, columnOfPair, columnType, knowsObject, typedOverColumns } from './context.js'
import { columnOfDimension, dimensionOf, type FilterContext, readColumn } from './filter-columns.js'

const MAX_DEPTH = 64

/** The conditions of a measure, in both spellings; invalid ones are reported and ignored. */
export const readMeasureFilters = (
  filters: readonly MeasureFilterDocument[],
  segments: Segments,
  context: Context,
): ModelCondition[] => readConditions(filters, segments, { ...context, mayExist: true })

/** The conditions on rows that are looked for. */
export const readTargetFilters = (
  filters: readonly MeasureFilterDocument[],
  target: string,
  segments: Segments,
  context: Context,
): ModelCondition[] => readConditions(filters, segments, { ...context, mayExist: false, owner: target })

const readConditions = (
  filters: readonly MeasureFilterDocument[],
  segments: Segments,
  context: FilterContext,
): ModelCondition[] => filters.flatMap((filter, i) => readCondition(filter, [...segments, i], context, 0) ?? [])

export function readCondition(
  filter: MeasureFilterDocument,
  segments: Segments,
  context: FilterContext,
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
  context: FilterContext,
): ModelCondition | undefined {
  const path = [...segments, 'expression']
  const beside = (['column', 'field', 'operator', 'op', 'values', 'value', 'filters', 'orMissing', 'subquery'] as const).find(
    (key) => filter[key] !== undefined,
  )
  if (beside !== undefined) {
    context.faults.error('SCHEMA_VALIDATION', segments, `A filter has an 'expression' or '${beside}', not both`)
    return undefined
  }
  const written = columnExpression(text, path, context.owner, context)
  const sound = written && typedOverColumns(written, path, context.owner, context)
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

function readGroup({ filter, members }: FilterGroup, segments: Segments, context: FilterContext, depth: number): ModelCondition {
  const filters = members.flatMap((member, i) => readCondition(member, [...segments, 'filters', i], context, depth + 1) ?? [])
  const { logic = 'and', negated = false, orMissing = false } = filter
  if (orMissing && !negated) context.faults.error('INVALID_FILTER_VALUE', [...segments, 'orMissing'], asKey(OR_MISSING_OF_GROUP))
  return { kind: 'group', logic, filters, negated, ...(orMissing && { orMissing }) }
}

/** As models write it. */
const asKey = (message: string): string => message.replaceAll('or_missing', 'orMissing')

function readLeaf(filter: MeasureFilterDocument, segments: Segments, context: FilterContext): ModelCondition | undefined {
  const operator = operatorOf(filter.operator ?? filter.op ?? '')
  if (context.mayExist && (operator === 'exists' || operator === 'nonexists'))
    return readExists({ filter, negated: operator === 'nonexists' }, segments, context)
  if (context.owner !== undefined && filter.subquery !== undefined) {
    const message = `'${filter.operator ?? filter.op}' is not allowed inside another exists`
    context.faults.error('INVALID_FILTER_OPERATOR', [...segments, filter.operator === undefined ? 'op' : 'operator'], message)
    return undefined
  }
  if (filter.subquery !== undefined) {
    context.faults.error('INVALID_FILTER_VALUE', [...segments, 'subquery'], "Only 'exists' and 'nonexists' take a subquery")
    return undefined
  }
  const dimension = filter.column === undefined && filter.field !== undefined ? dimensionOf(filter.field, context) : undefined
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
  const grain = dimension?.timeGrain === undefined ? undefined : context.grains.get(dimension.timeGrain)
  const test = column && readTest({ column, spelling, operatorAt: [...segments, key], given, grain }, segments, context)
  return test?.kind === 'leaf' && grain ? { ...test, grain } : test
}

interface WrittenExists {
  readonly filter: MeasureFilterDocument
  readonly negated: boolean
}

/** Whether rows of an object connect with that of the field, as in a query. */
function readExists({ filter, negated }: WrittenExists, segments: Segments, context: FilterContext): ExistsCondition | undefined {
  const { faults } = context
  const { subquery, values, value, orMissing } = filter
  if (subquery === undefined || values !== undefined || value !== undefined) {
    const message =
      subquery === undefined
        ? "'exists' and 'nonexists' need a subquery {dataObject, pathName, filter}"
        : "'exists' and 'nonexists' take no value; conditions on the rows belong in the filter of the subquery"
    faults.error('INVALID_FILTER_VALUE', segments, message)
    return undefined
  }
  const fault = orMissing ? orMissingFault(negated ? 'nonexists' : 'exists', []) : undefined
  if (fault !== undefined) {
    faults.error('INVALID_FILTER_VALUE', [...segments, 'orMissing'], asKey(fault))
    return undefined
  }
  const ofPolicy = context.subject === undefined ? undefined : { object: context.subject, via: undefined }
  const subject = ofPolicy ?? readSubject(filter, segments, context)
  const at = ofPolicy
    ? { target: negated ? 'nonexists' : 'exists', pathName: 'pathName', filters: 'filters' }
    : { target: ['subquery', 'dataObject'], pathName: ['subquery', 'pathName'], filters: ['subquery', 'filter'] }
  const test = readTarget(
    { target: subquery.dataObject, pathName: subquery.pathName, filters: subquery.filter ?? [] },
    {
      target: [...segments, at.target].flat(),
      pathName: [...segments, at.pathName].flat(),
      filters: [...segments, at.filters].flat(),
    },
    context,
  )
  return subject && test && { kind: 'exists', subject, ...test, negated, path: dotted(segments) }
}

/** The object of a dimension, of a column, or the one that is named itself. */
function readSubject(
  filter: MeasureFilterDocument,
  segments: Segments,
  context: Context,
): ExistsCondition['subject'] | undefined {
  const { field } = filter
  const dimension = filter.column === undefined && field !== undefined ? context.document.dimensions?.[field] : undefined
  if (dimension?.dataObject !== undefined && field !== undefined) return { object: dimension.dataObject, via: dimension.via }
  if (field !== undefined && context.objects.has(field)) return { object: field, via: undefined }
  const column = readColumn(filter, segments, context)
  return column && { object: column.object, via: undefined }
}

interface WrittenTarget extends Pick<ExistsTest, 'target' | 'pathName'> {
  readonly filters: readonly MeasureFilterDocument[]
}

/** The rows that are looked for; faults are reported. */
export function readTarget(
  { target, pathName, filters }: WrittenTarget,
  at: { readonly [K in keyof ExistsTest]: Segments },
  context: Context,
): ExistsTest | undefined {
  if (!knowsObject(target, at.target, context)) return undefined
  const objects = Object.values(context.document.dataObjects ?? {})
  const named = objects.flatMap(({ joins = [] }) => joins.flatMap((join) => join.pathName ?? []))
  if (pathName !== undefined && !named.includes(pathName)) {
    const message = `No join of this model has the name '${pathName}'`
    context.faults.unknown('UNKNOWN_PATH_NAME', at.pathName, { message, name: pathName, known: named })
    return undefined
  }
  return { target, pathName, filters: readTargetFilters(filters, target, at.filters, context) }
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
  /** The periods of the field, whose names are values as well. */
  readonly grain?: Grain | undefined
}

function readTest(
  { column, spelling, operatorAt, given, grain }: WrittenTest,
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
      count === 'subquery'
        ? `'${spelling}' is for queries, filters of measures and columns; write it there`
        : `'${spelling}' is for queries; a filter of the model compares with plain values`,
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
  const misfit = broken
    ? undefined
    : plain.find((value) => !operator.startsWith('length_') && !valueFits(value, type) && !isName(value, grain))
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

const isName = (value: FilterValue, grain: Grain | undefined): boolean =>
  grain !== undefined && typeof value === 'string' && dayNamed(value, grain) !== undefined

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
