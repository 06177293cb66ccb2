import { fail } from '../errors.js'
import type { Parameter } from '../model/expression/ast.js'
import { signedNumber } from '../model/expression/written-literal.js'
import type { ParameterValues } from '../model/parameter.js'
import type { Dialect } from './dialect.js'
import { literalText } from './literal-text.js'
import { atom, type Text, withDataLines } from './text.js'

interface HeldContext {
  readonly dialect: Dialect
  readonly held?: ParameterValues | undefined
  readonly placeOf?: ((value: Parameter) => string) | undefined
}

/** A value of access rules, as a condition of the query would have it; or what stands in its place. */
export function heldText(parameter: Parameter, { dialect, held, placeOf }: HeldContext): Text {
  if (held) return literalOf(parameter, held, dialect)
  return placeOf ? atom(placeOf(parameter)) : fail('INTERNAL_ERROR', `the attribute '${parameter.name}' has no value`)
}

/** The same, for its place in a text. */
export const heldValueText = (parameter: Parameter, held: ParameterValues, dialect: Dialect): string =>
  withDataLines(literalOf(parameter, held, dialect).text)

function literalOf({ name, at, type }: Parameter, held: ParameterValues, dialect: Dialect): Text {
  const given = held.get(name)
  const value = Array.isArray(given) ? (given as readonly unknown[])[at ?? 0] : given
  if (typeof value === 'number' && type.kind === 'int') return literalText(signedNumber(String(value)), dialect)
  if (typeof value === 'string' && type.kind === 'string') return literalText({ kind: 'literal', value, type }, dialect)
  return fail('INTERNAL_ERROR', `the attribute '${name}' has no value of its type`)
}
