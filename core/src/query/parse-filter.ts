import { OR_MISSING_OF_GROUP, orMissingFault, valueFault } from '../model/filter-value.js'
import { GRAIN_PATTERN, TIME_GRAINS } from '../model/grain.js'
import { type Operator, operatorOf, operatorSpellings, specOf } from '../model/operators.js'
import type { ParameterReference } from '../model/parameter.js'
import type { FilterValue } from '../model/semantic-model.js'
import { isRecord } from '../model/shape.js'
import { nearest } from '../nearest.js'
import type { ExistsSubquery, QueryFilter, QueryPer, QueryValue, RelativeRange } from './query-object.js'
import { named, type QueryReader } from './reader.js'

const MAX_DEPTH = 64

/** A condition or group in canonical form; undefined, with the reasons reported, if it is invalid. */
export function readFilter(value: unknown, path: string, reader: QueryReader, depth = 0): QueryFilter | undefined {
  if (depth > MAX_DEPTH) return reader.report('INVALID_QUERY', path, `Filters are nested deeper than ${MAX_DEPTH} levels`)
  if (typeof value === 'string') return readSegment(value, path, reader)
  if (isRecord(value) && Object.hasOwn(value, 'segment'))
    return readSegment(reader.fields(value, ['segment'], path)?.segment, `${path}.segment`, reader, path)
  const isGroup = isRecord(value) && (Object.hasOwn(value, 'filters') || Object.hasOwn(value, 'logic'))
  if (isGroup) return readGroup(value, path, reader, depth)
  const isExpression = isRecord(value) && Object.hasOwn(value, 'expression')
  return isExpression ? readCondition(value, path, reader) : readLeaf(value, path, reader, depth)
}

/** `{segment: Name}`, or the name alone. */
function readSegment(value: unknown, at: string, reader: QueryReader, path = at): QueryFilter | undefined {
  const name = reader.text(value, at)
  return name === undefined ? undefined : { kind: 'segment', name, path }
}

function readCondition(value: unknown, path: string, reader: QueryReader): QueryFilter | undefined {
  const expression = reader.text(reader.fields(value, ['expression'], path)?.expression, `${path}.expression`)
  return expression === undefined ? undefined : { kind: 'expression', expression, path }
}

function readGroup(value: unknown, path: string, reader: QueryReader, depth: number): QueryFilter | undefined {
  const fields = reader.fields(value, ['logic', 'filters', 'negated', 'or_missing'], path)
  if (!fields) return undefined
  if (fields.filters === undefined)
    return reader.report('INVALID_QUERY', path, `${path} needs 'filters', the members of the group`)
  const logic = reader.choice(fields.logic, ['and', 'or'], `${path}.logic`) ?? 'and'
  const negated = reader.flag(fields.negated, `${path}.negated`) ?? false
  const orMissing = reader.flag(fields.or_missing, `${path}.or_missing`) ?? false
  if (orMissing && !negated) reader.report('INVALID_QUERY', `${path}.or_missing`, OR_MISSING_OF_GROUP)
  const filters = reader.list(fields.filters, `${path}.filters`, (item, at) => readFilter(item, at, reader, depth + 1))
  return { kind: 'group', logic, filters, negated, ...(orMissing && { orMissing }), path }
}

function readLeaf(value: unknown, path: string, reader: QueryReader, depth: number): QueryFilter | undefined {
  const isPer = isRecord(value) && Object.hasOwn(value, 'measure')
  const keys = isPer ? (['measure', 'per', 'op', 'value', 'or_missing'] as const) : LEAF_KEYS
  const fields: Readonly<Record<string, unknown>> | undefined = reader.fields(value, keys, path)
  if (!fields) return undefined
  const of = isPer ? readPer(fields, path, reader) : undefined
  const field = isPer ? of && nameOfPer(of) : reader.text(fields['field'], `${path}.field`)
  const op = readOperator(fields['op'], `${path}.op`, reader)
  if (op === undefined) return undefined
  const operand = readOperand({ op, fields, path }, reader, depth)
  if (field === undefined || operand === undefined) return undefined
  const orMissing = reader.flag(fields['or_missing'], `${path}.or_missing`) ?? false
  const fault = orMissing ? orMissingFault(op, [operand.value].flat()) : undefined
  if (fault !== undefined) return reader.report('INVALID_FILTER_VALUE', `${path}.or_missing`, fault)
  return { kind: 'leaf', field, ...(of && { of }), op, ...operand, ...(orMissing && { orMissing }), path }
}

const LEAF_KEYS = ['field', 'op', 'value', 'subquery', 'or_missing'] as const

function readPer(fields: Readonly<Record<string, unknown>>, path: string, reader: QueryReader): QueryPer | undefined {
  const measure = reader.text(fields['measure'], `${path}.measure`)
  const per = reader.text(fields['per'], `${path}.per`)
  return measure === undefined || per === undefined ? undefined : { measure, per }
}

const nameOfPer = ({ measure, per }: QueryPer): string => `${measure} per ${per}`

function readOperator(value: unknown, path: string, reader: QueryReader): Operator | undefined {
  if (typeof value !== 'string')
    return reader.report('INVALID_FILTER_OPERATOR', path, `${path} must name an operator, not ${named(value)}`)
  const spelling = value.slice(0, 100)
  const operator = operatorOf(spelling)
  if (operator !== undefined) return operator
  return reader.report(
    'INVALID_FILTER_OPERATOR',
    path,
    `'${spelling}' is not an operator`,
    nearest(spelling, operatorSpellings()),
  )
}

type Operand = { readonly value?: QueryValue | readonly QueryValue[] | RelativeRange; readonly subquery?: ExistsSubquery }

/** A filter as the client wrote it. */
interface WrittenFilter {
  readonly op: Operator
  readonly fields: Readonly<Record<string, unknown>>
  readonly path: string
}

function readOperand({ op, fields, path }: WrittenFilter, reader: QueryReader, depth: number): Operand | undefined {
  const count = specOf(op).takes
  const { value, subquery } = fields
  if (subquery !== undefined && count !== 'subquery') {
    return reader.report('INVALID_FILTER_VALUE', `${path}.subquery`, `'${op}' takes no subquery; exists and nonexists do`)
  }
  if (value !== undefined && value !== null && (count === 'none' || count === 'subquery')) {
    return reader.report('INVALID_FILTER_VALUE', `${path}.value`, `'${op}' takes no value`)
  }
  switch (count) {
    case 'none':
      return {}
    case 'subquery': {
      const target = readSubquery({ value: subquery, path: `${path}.subquery`, op }, reader, depth)
      return target && { subquery: target }
    }
    case 'relative': {
      const range = readRelative(value, `${path}.value`, reader)
      return range && { value: range }
    }
    default:
      return readValues({ op, count, value }, path, reader)
  }
}

/** The values of a filter, and the number that its operator takes. */
interface WrittenValues {
  readonly op: Operator
  readonly count: 'one' | 'two' | 'list'
  readonly value: unknown
}

function readValues({ op, count, value }: WrittenValues, path: string, reader: QueryReader): Operand | undefined {
  const at = `${path}.value`
  if (value === undefined) return reader.report('INVALID_FILTER_VALUE', path, `'${op}' needs a value`)
  if (isNamed(value) && count !== 'two') return readReference(value, at, reader)
  if (count === 'one') {
    const fault = Array.isArray(value) ? `'${op}' takes one value, not a list${OF_LISTS[op] ?? ''}` : valueFault(op, value)
    return fault === undefined ? { value: value as FilterValue } : reader.report('INVALID_FILTER_VALUE', at, fault)
  }
  if (!Array.isArray(value))
    return reader.report('INVALID_FILTER_VALUE', at, `'${op}' takes a list of values, not ${named(value)}`)
  if (count === 'two' && value.length !== 2)
    return reader.report('INVALID_FILTER_VALUE', at, `'${op}' takes two values, not ${value.length}`)
  let sound = true
  for (const [i, item] of value.entries()) {
    if (isNamed(item)) {
      sound = readReference(item, `${at}[${i}]`, reader) !== undefined && sound
      continue
    }
    const fault = valueFault(op, item)
    if (fault === undefined) continue
    sound = false
    reader.report('INVALID_FILTER_VALUE', `${at}[${i}]`, fault)
  }
  return sound ? { value: value as QueryValue[] } : undefined
}

const isNamed = (value: unknown): boolean => isRecord(value) && Object.hasOwn(value, 'parameter')

/** `{parameter: Name}`; with the model it is known whether it fits. */
function readReference(value: unknown, path: string, reader: QueryReader): { readonly value: ParameterReference } | undefined {
  const name = reader.text(reader.fields(value, ['parameter'], path, 'INVALID_FILTER_VALUE')?.parameter, `${path}.parameter`)
  return name === undefined ? undefined : { value: { parameter: name } }
}

/** The operator for the given list, which was intended. */
const OF_LISTS: Partial<Record<Operator, string>> = {
  eq: "; use 'in' for any of several values",
  neq: "; use 'not_in' for none of several values",
}

const GRAIN = new RegExp(GRAIN_PATTERN)
/** The resolve stage checks whether the model has such a calendar. */
const isGrain = (unit: unknown): unit is string => typeof unit === 'string' && GRAIN.test(unit)

function readRelative(value: unknown, path: string, reader: QueryReader): RelativeRange | undefined {
  const code = 'INVALID_RELATIVE_FILTER'
  if (!isRecord(value))
    return reader.report(code, path, `'relative' takes {unit, count, direction, include_current}, not ${named(value)}`)
  const before = reader.findings.length
  const fields = reader.fields(value, ['unit', 'count', 'direction', 'include_current'], path, code)
  if (!fields) return undefined
  const unit = isGrain(fields.unit) ? fields.unit : reader.choice(fields.unit, TIME_GRAINS, `${path}.unit`, code)
  if (fields.unit === undefined) reader.report(code, path, `'relative' needs a unit, one of ${TIME_GRAINS.join(', ')}`)
  const { count } = fields
  const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 && count <= 1_000_000
  if (!isCount) {
    reader.report(
      code,
      count === undefined ? path : `${path}.count`,
      `'relative' needs a count, a whole number from 0 to 1000000, not ${named(count)}`,
    )
  }
  const direction = reader.choice(fields.direction, ['past', 'future'], `${path}.direction`, code) ?? 'past'
  const current = fields.include_current ?? true
  if (typeof current !== 'boolean')
    reader.report(code, `${path}.include_current`, `include_current must be true or false, not ${named(current)}`)
  if (unit === undefined || !isCount || typeof current !== 'boolean' || reader.findings.length > before) return undefined
  return { unit, count, direction, include_current: current }
}

/** The subquery of a filter as the client wrote it. */
interface WrittenSubquery {
  readonly value: unknown
  readonly path: string
  readonly op: Operator
}

function readSubquery({ value, path, op }: WrittenSubquery, reader: QueryReader, depth: number): ExistsSubquery | undefined {
  if (value === undefined)
    return reader.report('INVALID_FILTER_VALUE', path, `'${op}' needs a subquery {dataObject, pathName, filter}`)
  const fields = reader.fields(value, ['data_object', 'path_name', 'filter'], path)
  if (!fields) return undefined
  const dataObject = reader.text(fields.data_object, `${path}.dataObject`)
  const pathName = fields.path_name === undefined ? undefined : reader.text(fields.path_name, `${path}.pathName`)
  const filter = reader.list(fields.filter, `${path}.filter`, (item, at) => readFilter(item, at, reader, depth + 1))
  return dataObject === undefined ? undefined : { dataObject, ...(pathName !== undefined && { pathName }), filter }
}
