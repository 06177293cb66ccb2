/** Policies on rows: the condition of each, and that it is one which only its author and the principal decide. */
import { PRINCIPAL_NAME, restrictedObjects } from '../access.js'
import type { RelativeDay } from '../calendar-table.js'
import { columnsBelow, columnsOfCondition, type Fields, isOfOtherRows, objectsSought } from '../columns-read.js'
import { DATE, STRING } from '../data-type.js'
import type { AccessDocument, PolicyFilterDocument, PolicyValue } from '../document/access.js'
import type { MeasureFilterDocument } from '../document.js'
import { isNegative, operatorOf } from '../operators.js'
import type { ModelParameter } from '../parameter.js'
import { addNames, parametersInCondition } from '../parameters-in.js'
import type { Segments } from '../parse/locate.js'
import type { DataObject, ExistsTest, ModelAccess, ModelCondition, RowPolicy, StaticFilter } from '../semantic-model.js'
import { isRecord } from '../shape.js'
import { shortestWays } from '../shortest-ways.js'
import { type Context, knowsObject } from './context.js'
import type { Declared } from './field-rules.js'
import { readCondition } from './filters.js'
import { checkSought, hiddenBySought } from './policy-exists.js'
import { readRelativeDay } from './relative-day.js'

interface Given extends Pick<ModelAccess, 'attributes' | 'relatives'> {
  /** Those of the model. */
  readonly filters: readonly StaticFilter[]
}

export function readPolicies(
  { rows = [] }: AccessDocument,
  { attributes, relatives, filters }: Given,
  fields: Declared,
  context: Context,
): readonly RowPolicy[] {
  const { dataObjects } = fields
  const seen = new Set<string>()
  const known = new Map([
    ...attributes,
    [PRINCIPAL_NAME, NAME] as const,
    ...[...relatives.keys()].map((name) => [name, { ...NAME, name, type: DATE }] as const),
  ])
  return rows.flatMap((policy, i) => {
    const segments = ['access', 'rows', i]
    const { name, label = name, dataObject, where, unless = [], deniesBy = false } = policy
    if (typeof name !== 'string' || typeof dataObject !== 'string' || !isRecord(where)) return []
    if (seen.has(name)) context.faults.error('DUPLICATE_IDENTIFIER', [...segments, 'name'], `Two policies are called '${name}'`)
    seen.add(name)
    if (!knowsObject(dataObject, [...segments, 'dataObject'], context)) return []
    const at = [...segments, 'where']
    if (!hasOneForm(where, at, context) || !readsKnown(where, at, attributes, context)) return []
    const condition = readCondition(asFilter(where), at, { ...context, parameters: known, mayExist: true, subject: dataObject })
    if (!condition) return []
    const read: StaticFilter = { dataObject, condition }
    const isSound = [
      readsObjects(read, at, dataObjects, context),
      checkSought(read, at, { dataObjects, filters }, context),
      readsNoParameter(read, at, dataObjects, context),
      readsNoMeasure(read, at, fields, context),
      deniesOnPurpose(where, deniesBy, segments, context),
      readsNoClosure(read, at, dataObjects, context),
      isOfTable(dataObject, segments, dataObjects, context),
    ].every(Boolean)
    if (!isSound) return []
    const reads = [...parametersInCondition(condition, new Map())]
    return [{ ...read, name, label, unless, reads, hidden: hiddenBySought(condition, fields) }]
  })
}

const NAME: ModelParameter = {
  ...{ name: PRINCIPAL_NAME, type: STRING, list: false, default: undefined, values: undefined, min: undefined, max: undefined },
  ...{ nullable: false, description: undefined, synonyms: [], owner: undefined },
}

const FORMS = ['field', 'expression', 'exists', 'nonexists'] as const

/** A part that another would make to nothing, or a group of nothing, could show all rows. */
function hasOneForm(where: PolicyFilterDocument, segments: Segments, context: Context): boolean {
  const { filters = [], pathName, negated, op, value, logic, orMissing } = where
  const own = FORMS.filter((form) => where[form] !== undefined)
  const looks = where.exists !== undefined || where.nonexists !== undefined
  const forms = looks || where.filters === undefined ? own : [...own, 'filters']
  const beside = [
    ...(looks || pathName === undefined ? [] : ['pathName']),
    ...(where.field !== undefined || (op === undefined && value === undefined) ? [] : ['op']),
    ...(forms[0] === 'filters' || (negated === undefined && logic === undefined) ? [] : ['negated']),
    ...(looks && orMissing !== undefined ? ['orMissing'] : []),
  ]
  const inner = filters.map((filter, i) => hasOneForm(filter, [...segments, 'filters', i], context))
  if (forms.length === 1 && beside.length === 0) return inner.every(Boolean)
  const has = [...forms, ...beside].map((form) => `'${form}'`).join(' and ')
  const message = `A condition is a 'field' with an 'op', an 'expression', 'exists' or 'nonexists' with the 'filters' of its rows, or a group of 'filters'; this one has ${has || 'none of them'}`
  context.faults.error('SCHEMA_VALIDATION', segments, message)
  return false
}

/** Every attribute is declared. */
function readsKnown(
  { filters = [], value }: PolicyFilterDocument,
  segments: Segments,
  attributes: ReadonlyMap<string, ModelParameter>,
  context: Context,
): boolean {
  const own = [value].flat().map((item) => {
    if (!isRecord(item)) return true
    const { attribute, principal, relative } = item as Readonly<Record<string, string | undefined>>
    if ([attribute, principal, relative].filter((one) => one !== undefined).length !== 1) {
      const message = 'In place of a value is { attribute: name }, { principal: name } or { relative: today }'
      context.faults.error('SCHEMA_VALIDATION', [...segments, 'value'], message)
      return false
    }
    if (relative !== undefined && readRelativeDay(relative, context.grains) === undefined) {
      const message = `'${relative.slice(0, 40)}' is not 'today', 'start of' or 'end of' with a grain of the model, or '90 days ago'`
      context.faults.error('SCHEMA_VALIDATION', [...segments, 'value'], message)
      return false
    }
    if (attribute === undefined || attributes.has(attribute)) return true
    const message = `'${attribute}' is not an attribute of access.attributes`
    context.faults.unknown('UNKNOWN_ATTRIBUTE', [...segments, 'value'], { message, name: attribute, known: attributes.keys() })
    return false
  })
  const inner = filters.map((filter, i) => readsKnown(filter, [...segments, 'filters', i], attributes, context))
  return [...own, ...inner].every(Boolean)
}

/** The condition as a filter of the model, in which attributes are parameters. */
function asFilter({ filters, value, exists, nonexists, pathName, ...rest }: PolicyFilterDocument): MeasureFilterDocument {
  const inner = filters?.map(asFilter)
  const target = exists ?? nonexists
  if (target !== undefined) {
    const subquery = { dataObject: target, ...(pathName !== undefined && { pathName }), filter: inner ?? [] }
    return { op: exists === undefined ? 'nonexists' : 'exists', subquery }
  }
  return {
    ...rest,
    ...(inner && { filters: inner }),
    ...(value !== undefined && { value: Array.isArray(value) ? value.map(asReference) : asReference(value as PolicyValue) }),
  }
}

function asReference(value: PolicyValue) {
  if (typeof value !== 'object' || value === null) return value
  if ('relative' in value) return { parameter: relativeName(value.relative) }
  return { parameter: 'attribute' in value ? value.attribute : PRINCIPAL_NAME }
}

/** What stands for a day in the condition until a view is made. No attribute has such a name. */
const relativeName = (text: string): string => `relative\0${text}`

/** The days that a condition compares with, by what stands for them. */
export function relativesIn(
  where: PolicyFilterDocument | undefined,
  context: Context,
): readonly (readonly [string, RelativeDay])[] {
  const own = [where?.value].flat().flatMap((item) => {
    const { relative: text } = (isRecord(item) ? item : {}) as { readonly relative?: string }
    const day = text === undefined ? undefined : readRelativeDay(text, context.grains)
    return text === undefined || day === undefined ? [] : [[relativeName(text), day] as const]
  })
  return [...own, ...(where?.filters ?? []).flatMap((member) => relativesIn(member, context))]
}

/** The columns of a condition, without those of the rows that it looks for. */
function columnsOfRow(condition: ModelCondition): ReturnType<typeof columnsOfCondition> {
  if (condition.kind === 'exists') return []
  return condition.kind === 'group' ? condition.filters.flatMap(columnsOfRow) : columnsOfCondition(condition)
}

/** The columns are of the object, or of objects that it reaches by primary joins. */
function readsObjects(
  { dataObject, condition }: StaticFilter,
  segments: Segments,
  dataObjects: Objects,
  { faults }: Context,
): boolean {
  const foreign = columnsOfRow(condition).find(
    ({ object }) => !restrictedObjects({ dataObjects }, [{ dataObject: object }]).has(dataObject),
  )
  if (!foreign) return true
  const message = `'${dataObject}' does not reach '${foreign.object}' by its primary joins; write the policy on '${foreign.object}', or look for its rows with exists`
  faults.error('NO_JOIN_PATH', segments, message)
  return false
}

/** Who sees a row must not depend on what is counted, which depends on who sees which rows. */
function readsNoMeasure({ condition }: StaticFilter, segments: Segments, fields: Fields, { faults }: Context): boolean {
  const read = columnsBelow(columnsOfCondition(condition), fields).find((ref) => isOfOtherRows(ref, fields))
  if (!read) return true
  const message = `The policy reads '${read.object}.${read.column}', a column that counts or finds only rows that policies leave; write it over stored columns`
  faults.error('CYCLIC_FILTER', segments, message)
  return false
}

type Objects = ReadonlyMap<string, DataObject>

/** A parameter is what everybody may set. Attributes are references here, which only the condition itself has. */
function readsNoParameter({ condition }: StaticFilter, segments: Segments, dataObjects: Objects, { faults }: Context): boolean {
  const written = new Set<string>()
  addWritten(condition, written)
  const [read] = [
    ...written,
    ...columnsOfCondition(condition).flatMap((column) => [
      ...parametersInCondition({ kind: 'expression', expression: column }, dataObjects),
    ]),
  ]
  if (read === undefined) return true
  const message = written.has(read)
    ? `The expression of the policy reads '${read}' as a parameter, which queries may set; compare a field with { attribute: ${read} }`
    : `The policy reads the parameter '${read}', which every query may set`
  faults.error('PARAMETER_IN_POLICY', segments, message)
  return false
}

/** The parameters that expressions of a condition name. */
function addWritten(condition: ModelCondition, names: Set<string>): void {
  if (condition.kind === 'expression') addNames(condition.expression, names)
  if (condition.kind === 'group' || condition.kind === 'exists') for (const member of condition.filters) addWritten(member, names)
}

function deniesOnPurpose(where: PolicyFilterDocument, deniesBy: boolean, segments: Segments, { faults }: Context): boolean {
  const negative = negativeIn(where)
  if (deniesBy || negative === undefined) return true
  const message = `The policy uses ${negative}, which names what is removed: an empty list of values would show all rows`
  faults.error('POLICY_NEEDS_DENIES_BY', [...segments, 'where'], message)
  return false
}

function negativeIn({ op, negated, expression, nonexists, filters = [] }: PolicyFilterDocument): string | undefined {
  if (negated) return "'negated'"
  if (nonexists !== undefined) return "'nonexists'"
  if (expression !== undefined) return 'an expression'
  const operator = op === undefined ? undefined : operatorOf(op)
  if (operator !== undefined && isNegative(operator)) return `'${op}'`
  return filters.map(negativeIn).find((found) => found !== undefined)
}

/** A closure is of the rows that policies leave, so that none can look for its rows, or on a way through them. */
function readsNoClosure(
  { dataObject, condition }: StaticFilter,
  segments: Segments,
  dataObjects: Objects,
  { faults }: Context,
): boolean {
  if (dataObjects.get(dataObject)?.closure) return true
  const joins = [...dataObjects.values()].flatMap((object) => object.joins)
  const passed = soughtIn(condition).flatMap(({ target, pathName }) =>
    shortestWays(dataObject, target, {
      joins: joins.filter((join) => !join.secondary || join.pathName === pathName),
      pathName,
    }).flatMap((way) => way.map(({ to }) => to)),
  )
  const read = columnsOfCondition(condition).map(({ object }) => object)
  const closure = [...passed, ...objectsSought(condition), ...read].find((name) => dataObjects.get(name)?.closure)
  if (closure === undefined) return true
  const message = `The policy reads '${closure}', a closure of the rows that policies leave; look for rows of a table that lists who may see what`
  faults.error('CYCLIC_FILTER', segments, message)
  return false
}

const soughtIn = (condition: ModelCondition): readonly ExistsTest[] => {
  if (condition.kind === 'group') return condition.filters.flatMap(soughtIn)
  return condition.kind === 'exists' ? [condition] : []
}

/** A generated calendar and a closure have no rows of a table. */
function isOfTable(name: string, segments: Segments, dataObjects: Objects, { faults }: Context): boolean {
  const object = dataObjects.get(name)
  if (object?.closure) {
    const message = `'${name}' is a closure, which has the rows that policies leave of '${object.closure.dataObject}'; write the policy on '${object.closure.dataObject}'`
    faults.error('POLICY_DOES_NOT_BIND', [...segments, 'dataObject'], message)
    return false
  }
  if (object?.source.kind !== 'days') return true
  faults.error(
    'POLICY_DOES_NOT_BIND',
    [...segments, 'dataObject'],
    `'${name}' is a generated calendar, which has no rows to remove`,
  )
  return false
}
