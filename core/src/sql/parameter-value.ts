import { fail } from '../errors.js'
import { asDecimal, type DataType, FLOAT } from '../model/data-type.js'
import type { Expr, Literal, Parameter } from '../model/expression/ast.js'
import { literalAs } from '../model/expression/literal-as.js'

/** A value of a parameter, or the values of a list. */
export type ParameterValue = Literal['value'] | readonly Literal['value'][]
export type ParameterValues = ReadonlyMap<string, ParameterValue>

/**
 * The value of a parameter for the text of one statement. It has exactly the type of the parameter: a number is cast, so that no engine derives another type from its
 * digits, and none takes it for a position in GROUP BY or ORDER BY. Throws `INVALID_FILTER_VALUE`.
 */
export function parameterValue({ name, at, type }: Parameter, values: ParameterValues | undefined): Expr<never> {
  const given = values?.get(name)
  const value = at === undefined ? given : isList(given) ? given[at] : undefined
  if (value === undefined || isList(value)) return fail('INTERNAL_ERROR', `the parameter '${name}' has no value`)
  if (value === null) return { kind: 'cast', operand: { kind: 'literal', value, type }, type }
  return (
    readAs(value, type) ??
    fail('INVALID_FILTER_VALUE', `the parameter '${name}' has the type ${type.kind}, and its value is none of that type`)
  )
}

const isList = (value: ParameterValue | undefined): value is readonly Literal['value'][] => Array.isArray(value)

function readAs(value: Exclude<Literal['value'], null>, type: DataType): Expr<never> | undefined {
  const isText = typeof value === 'string'
  switch (type.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? { kind: 'literal', value, type } : undefined
    case 'int':
    case 'decimal':
    case 'float':
      return typeof value === 'boolean' ? undefined : numberAs(String(value), type)
    case 'string':
    case 'json':
      return isText ? { kind: 'literal', value, type } : undefined
    default: {
      const read = isText ? literalAs(value, type.kind) : undefined
      return read?.type.kind === type.kind ? read : undefined
    }
  }
}

function numberAs(text: string, type: DataType): Expr<never> | undefined {
  if (type.kind === 'float') {
    const isNumber = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
    return isNumber ? { kind: 'literal', value: text, type: FLOAT } : undefined
  }
  const [, whole = '', part = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const { precision, scale } = asDecimal(type)
  const fits = whole !== '' && part.length <= scale && whole.replace(/^0+/, '').length <= precision - scale
  return fits && (type.kind !== 'int' || isLong(text))
    ? { kind: 'cast', operand: { kind: 'literal', value: text, type }, type }
    : undefined
}

const LONG = 2n ** 63n
const isLong = (digits: string): boolean => BigInt(digits) >= -LONG && BigInt(digits) < LONG
