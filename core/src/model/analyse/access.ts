/** Access rules: what is not understood is an error, and every object is bound by a policy or named as bound by none. */
import { nearest } from '../../nearest.js'
import { PRINCIPAL_NAME, restrictedObjects } from '../access.js'
import type { RelativeDay } from '../calendar-table.js'
import { columnsBelow, columnsOfCondition, type Fields, isOfOtherRows } from '../columns-read.js'
import { DATE, STRING } from '../data-type.js'
import type { AccessDocument, PolicyFilterDocument, PolicyValue } from '../document/access.js'
import type { MeasureFilterDocument } from '../document.js'
import { isNegative, operatorOf } from '../operators.js'
import type { ModelParameter } from '../parameter.js'
import { parametersInCondition } from '../parameters-in.js'
import type { Segments } from '../parse/locate.js'
import type { DataObject, ModelAccess, RowPolicy, StaticFilter } from '../semantic-model.js'
import { isRecord } from '../shape.js'
import { tableOf } from '../table-of.js'
import { type Context, knowsObject } from './context.js'
import { type Declared, readFieldRules } from './field-rules.js'
import { readCondition } from './filters.js'
import { readParameters } from './parameters.js'
import { readRelativeDay } from './relative-day.js'

/** The access rules of a model; undefined if it has none. `written` is the document before unknown keys were left out. */
export function readAccess(
  written: Readonly<Record<string, unknown>>,
  { segments, ...fields }: Declared,
  context: Context,
): ModelAccess | undefined {
  refuseMisspelt(written, context)
  const { access } = context.document
  if (!Object.hasOwn(written, 'access')) return undefined
  if (!isRecord(written.access) || access === undefined) {
    context.faults.error(
      'SCHEMA_VALIDATION',
      ['access'],
      "'access' is empty. Write the access rules below it, or remove the key",
      {
        onKey: true,
      },
    )
    return undefined
  }
  const attributes = readParameters({ ...context, document: { parameters: access.attributes ?? {} } }, ['access', 'attributes'])
  const relatives = new Map((access.rows ?? []).flatMap(({ where }) => relativesIn(where, context)))
  const rows = readPolicies(access, { attributes, relatives }, fields, context)
  const unbound = (access.unbound ?? []).filter((name, i) => knowsObject(name, ['access', 'unbound', i], context))
  checkBound({ rows, unbound }, fields.dataObjects, context)
  return {
    attributes,
    relatives,
    rows,
    unbound,
    fields: readFieldRules(access.fields ?? [], { ...fields, segments }, context),
    sql: access.sql ?? [],
  }
}

/** A rule under a key that is almost `access` would protect nothing. */
function refuseMisspelt(written: Readonly<Record<string, unknown>>, { faults }: Context): void {
  for (const key of Object.keys(written)) {
    if (key === 'access' || nearest(key, ['access']).length === 0) continue
    faults.error('UNKNOWN_PROPERTY', [key], `'${key}' is not a key that is known here; write 'access'`, {
      onKey: true,
      suggestions: ['access'],
    })
  }
}

function readPolicies(
  { rows = [] }: AccessDocument,
  { attributes, relatives }: Pick<ModelAccess, 'attributes' | 'relatives'>,
  fields: Fields,
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
    if (!readsKnown(where, at, attributes, context)) return []
    const condition = readCondition(asFilter(where), at, { ...context, parameters: known })
    if (!condition) return []
    const read: StaticFilter = { dataObject, condition }
    const isSound = [
      readsObjects(read, at, dataObjects, context),
      readsNoParameter(read, at, dataObjects, context),
      readsNoMeasure(read, at, fields, context),
      deniesOnPurpose(where, deniesBy, segments, context),
      isOfTable(dataObject, segments, dataObjects, context),
    ].every(Boolean)
    if (!isSound) return []
    const reads = [...parametersInCondition(condition, new Map())]
    return [{ ...read, name, label, unless, reads }]
  })
}

const NAME: ModelParameter = {
  ...{ name: PRINCIPAL_NAME, type: STRING, list: false, default: undefined, values: undefined, min: undefined, max: undefined },
  ...{ nullable: false, description: undefined, synonyms: [], owner: undefined },
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
function asFilter({ filters, value, ...rest }: PolicyFilterDocument): MeasureFilterDocument {
  return {
    ...rest,
    ...(filters && { filters: filters.map(asFilter) }),
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
function relativesIn(where: PolicyFilterDocument | undefined, context: Context): readonly (readonly [string, RelativeDay])[] {
  const own = [where?.value].flat().flatMap((item) => {
    const { relative: text } = (isRecord(item) ? item : {}) as { readonly relative?: string }
    const day = text === undefined ? undefined : readRelativeDay(text, context.grains)
    return text === undefined || day === undefined ? [] : [[relativeName(text), day] as const]
  })
  return [...own, ...(where?.filters ?? []).flatMap((member) => relativesIn(member, context))]
}

/** The columns are of the object, or of objects that it reaches by primary joins. */
function readsObjects(
  { dataObject, condition }: StaticFilter,
  segments: Segments,
  dataObjects: Objects,
  { faults }: Context,
): boolean {
  const foreign = columnsOfCondition(condition).find(
    ({ object }) => !restrictedObjects({ dataObjects }, [{ dataObject: object }]).has(dataObject),
  )
  if (!foreign) return true
  const message = `'${dataObject}' does not reach '${foreign.object}' by its primary joins; write the policy on '${foreign.object}'`
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
  const [read] = columnsOfCondition(condition).flatMap((column) => [
    ...parametersInCondition({ kind: 'expression', expression: column }, dataObjects),
  ])
  if (read === undefined) return true
  const message = `The policy reads the parameter '${read}', which every query may set`
  faults.error('PARAMETER_IN_POLICY', segments, message)
  return false
}

function deniesOnPurpose(where: PolicyFilterDocument, deniesBy: boolean, segments: Segments, { faults }: Context): boolean {
  const negative = negativeIn(where)
  if (deniesBy || negative === undefined) return true
  const message = `The policy uses ${negative}, which names what is removed: an empty list of values would show all rows`
  faults.error('POLICY_NEEDS_DENIES_BY', [...segments, 'where'], message)
  return false
}

function negativeIn({ op, negated, expression, filters = [] }: PolicyFilterDocument): string | undefined {
  if (negated) return "'negated'"
  if (expression !== undefined) return 'an expression'
  const operator = op === undefined ? undefined : operatorOf(op)
  if (operator !== undefined && isNegative(operator)) return `'${op}'`
  return filters.map(negativeIn).find((found) => found !== undefined)
}

/** A generated calendar has no rows of a table. */
function isOfTable(name: string, segments: Segments, dataObjects: Objects, { faults }: Context): boolean {
  if (dataObjects.get(name)?.source.kind !== 'days') return true
  faults.error(
    'POLICY_DOES_NOT_BIND',
    [...segments, 'dataObject'],
    `'${name}' is a generated calendar, which has no rows to remove`,
  )
  return false
}

/** Every object is bound on some way or named, and no other object reads a table of which a policy names one. */
function checkBound({ rows, unbound }: Pick<ModelAccess, 'rows' | 'unbound'>, dataObjects: Objects, context: Context): void {
  const { faults } = context
  if (rows.length === 0 || faults.list.some(({ severity }) => severity === 'error')) return
  const restricted = restrictedObjects({ dataObjects }, rows)
  const named = new Set(rows.map(({ dataObject }) => dataObject))
  for (const [name, object] of dataObjects) {
    if (unbound.includes(name) || object.source.kind === 'days') continue
    const at = ['dataObjects', name]
    if (!restricted.has(name)) {
      const message = `No policy binds '${name}': none names it or an object that it joins. A bridge does not bind; if the rows belong to someone by another table, write a policy on '${name}' itself`
      faults.error('POLICY_DOES_NOT_BIND', at, message, { onKey: true })
    }
    const table = tableOf(object)
    const twin = [...named].find((other) => other !== name && table !== undefined && tableOf(dataObjects.get(other)!) === table)
    if (!named.has(name) && twin !== undefined) {
      faults.error('POLICY_MISSES_TABLE', at, `'${name}' reads the table of '${twin}', and no policy names '${name}'`, {
        onKey: true,
      })
    }
    if (!named.has(name) && object.source.kind === 'sql') {
      const message = `'${name}' is SQL text, which may read any table, and no policy names it`
      faults.error('POLICY_MISSES_TABLE', at, message, { onKey: true })
    }
  }
}
