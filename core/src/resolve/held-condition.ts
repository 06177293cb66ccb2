import { fail } from '../errors.js'
import type { Expr, Parameter } from '../model/expression/ast.js'
import { signedNumber } from '../model/expression/written-literal.js'
import { isReference, type ParameterReference } from '../model/parameter.js'
import type { FilterValue, Held } from '../model/semantic-model.js'
import type { Condition } from './condition-tree.js'
import { binary, FALSE, isNull, not, TRUE, text } from './expressions.js'
import type { Comparison, Subject } from './time-condition.js'

interface HeldComparison extends Pick<Comparison, 'operator' | 'orMissing' | 'path'> {
  readonly values: readonly (FilterValue | ParameterReference)[]
}

const SYMBOLS: Readonly<Record<string, '=' | '>' | '>=' | '<' | '<='>> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** A comparison with values of access rules that are given when the statement is written: its plan is that of every value. */
export function heldCondition<L>(
  { expression: x }: Subject<L>,
  { operator, values, orMissing, path }: HeldComparison,
  held: ReadonlyMap<string, Held>,
): Condition<L> {
  const list = values.flatMap((value): readonly Expr<L>[] => {
    if (isReference(value)) return parametersOf(value, held)
    return [typeof value === 'number' ? signedNumber(String(value)) : text(String(value))]
  })
  const [first] = list
  const symbol = SYMBOLS[operator]
  const isListed = operator === 'in' || operator === 'not_in'
  if (operator !== 'neq' && !isListed && symbol === undefined)
    return fail('INTERNAL_ERROR', `the values of '${operator}' are needed before`, { path })
  if (first === undefined)
    return { kind: 'condition', expression: operator === 'in' ? FALSE : TRUE, unknown: undefined, orMissing }
  const inside: Expr<L> = list.length === 1 ? binary(symbol ?? '=', x, first) : { kind: 'in', operand: x, list }
  const isNegative = operator === 'neq' || operator === 'not_in'
  return { kind: 'condition', expression: isNegative ? not(inside) : inside, unknown: isNull(x), orMissing }
}

function parametersOf({ parameter: name }: ParameterReference, held: ReadonlyMap<string, Held>): readonly Parameter[] {
  const known = held.get(name)
  if (!known) return fail('INTERNAL_ERROR', `the attribute '${name}' has no value yet`)
  const { type, count, form } = known
  const one = { kind: 'parameter' as const, name, type, form }
  return count === undefined ? [one] : Array.from({ length: count }, (_, at) => ({ ...one, at }))
}
