import { fail } from '../errors.js'
import type { Expr, Literal, Parameter } from '../model/expression/ast.js'
import { valueAs } from '../model/expression/value-as.js'
import type { ParameterValue, ParameterValues } from '../model/parameter.js'

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
    valueAs(value, type) ??
    fail('INVALID_FILTER_VALUE', `the parameter '${name}' has the type ${type.kind}, and its value is none of that type`)
  )
}

const isList = (value: ParameterValue | undefined): value is readonly Literal['value'][] => Array.isArray(value)
