import { type DataType, INT } from '../model/data-type.js'
import { binary, integer } from '../resolve/expressions.js'
import { aggregate, type SqlExpr } from './statement.js'

/** The type in which the only value of a group is encoded: not every engine has MAX for booleans. */
export const encodedType = (type: DataType): DataType => (type.kind === 'boolean' ? INT : type)

/** A value prepared for `onlyOne`: a boolean as 0 or 1. */
export function encodeForUnion(value: SqlExpr, type: DataType): SqlExpr {
  if (type.kind !== 'boolean') return value
  const branch = (when: SqlExpr, number: number) => ({ when, then: integer(number) })
  return {
    kind: 'case',
    branches: [branch(value, 1), branch({ kind: 'unary', operator: 'not', operand: value }, 0)],
    otherwise: undefined,
  }
}

/** The only value of a group, besides NULLs; `value` is encoded, `type` is its own. */
export function onlyOne(value: SqlExpr, type: DataType): SqlExpr {
  const max = aggregate('max', [value], encodedType(type))
  return type.kind === 'boolean' ? binary('=', max, integer(1)) : max
}
