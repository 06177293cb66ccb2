/** Values that a query gives to a model: what may be given, and where a filter names them. */
import { type DataType, formatDataType, isNumeric } from './data-type.js'
import type { Described, FilterValue } from './described.js'
import type { Literal } from './expression/ast.js'
import { valueAs } from './expression/value-as.js'
import type { Unit } from './unit/unit.js'

/** A parameter of a model. */
export interface ModelParameter extends Described {
  readonly name: string
  readonly type: DataType
  readonly list: boolean
  /** Undefined if a query that reads the parameter must give a value. */
  readonly default: GivenValue | undefined
  readonly values: readonly FilterValue[] | undefined
  readonly min: string | number | undefined
  readonly max: string | number | undefined
  readonly nullable: boolean
  /** The unit of its numbers. */
  readonly unit?: Unit | undefined
}

/** A value as a query gives it; of a list, its values. */
export type GivenValue = FilterValue | readonly FilterValue[]

/** The values of parameters for one statement, by name. */
export type ParameterValues = ReadonlyMap<string, ParameterValue>
/** The value of a parameter, or the values of a list. */
export type ParameterValue = Literal['value'] | readonly Literal['value'][]

/** In place of a value of a filter: the parameter that has it. */
export interface ParameterReference {
  readonly parameter: string
}

export const isReference = (value: unknown): value is ParameterReference =>
  typeof value === 'object' && value !== null && typeof (value as { readonly parameter?: unknown }).parameter === 'string'

export const isListed = (value: GivenValue): value is readonly FilterValue[] => Array.isArray(value)

/** What is wrong with a value for a parameter; `undefined` if it fits. */
export function parameterFault(parameter: ModelParameter, value: unknown): string | undefined {
  const { list, name } = parameter
  if (!Array.isArray(value)) return itemFault(parameter, value)
  if (!list) return `'${name}' has one value, and is given a list; 'list: true' in the model makes it a list`
  return value.map((item) => itemFault(parameter, item)).find((fault) => fault !== undefined)
}

/** The value of a text, as a setting of a session has it: of a list its values, as a JSON list or with commas between them. */
export function valueFromText({ list }: ModelParameter, given: GivenValue): GivenValue {
  if (!list || typeof given !== 'string') return given
  const listed = given.trim().startsWith('[') ? jsonList(given) : undefined
  if (listed) return listed
  return given.trim() === '' ? [] : given.split(',').map((item) => item.trim())
}

function jsonList(text: string): readonly FilterValue[] | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? (read as readonly FilterValue[]) : undefined
  } catch {
    return undefined
  }
}

/** A value that fits, in the form that filters and statements take: one value of a list is a list, and a truth may be a text. */
export function plainValueOf({ type, list }: ModelParameter, given: GivenValue): GivenValue {
  const plain = (value: FilterValue): FilterValue =>
    type.kind === 'boolean' && typeof value === 'string' ? value.trim().toLowerCase() === 'true' : value
  if (isListed(given)) return given.map(plain)
  return list ? [plain(given)] : plain(given)
}

function itemFault({ name, type, nullable, values, min, max }: ModelParameter, value: unknown): string | undefined {
  if (value === null) return nullable ? undefined : `'${name}' must not be null; 'nullable: true' in the model allows it`
  const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
  const isTruth = type.kind === 'boolean' && typeof plain === 'string' && /^\s*(true|false)\s*$/i.test(plain)
  if (plain === undefined || (!isTruth && valueAs(plain, type) === undefined))
    return `${shownOf(value)} does not fit the parameter '${name}', which is ${formatDataType(type)}`
  if (values && !values.some((allowed) => allowed !== null && isEqual(allowed, plain, type)))
    return `${shownOf(value)} is not one of the values of '${name}': ${values.map(String).join(', ')}`
  if (min !== undefined && isLess(plain, min, type)) return `${shownOf(value)} is less than the least value of '${name}', ${min}`
  if (max !== undefined && isLess(max, plain, type))
    return `${shownOf(value)} is greater than the greatest value of '${name}', ${max}`
  return undefined
}

type Plain = Exclude<FilterValue, null>

const isEqual = (a: Plain, b: Plain, type: DataType): boolean =>
  isNumeric(type) ? Number(a) === Number(b) : textOf(a, type) === textOf(b, type)

/** Days and times of one form are in the order of their texts. */
const isLess = (a: Plain, b: Plain, type: DataType): boolean =>
  isNumeric(type) ? Number(a) < Number(b) : textOf(a, type) < textOf(b, type)

function textOf(value: Plain, type: DataType): string {
  const read = valueAs(value, type)
  return String(read?.kind === 'literal' ? read.value : value)
}

const shownOf = (value: unknown): string => {
  if (typeof value === 'string') return `'${value.slice(0, 60)}'`
  return value !== null && typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'an object') : String(value)
}
