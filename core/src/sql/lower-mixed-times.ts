import { type DataType, TIMESTAMP } from '../model/data-type.js'
import type { SqlExpr } from './statement.js'

/** Whether dates meet timestamps. Engines convert them differently: one compares their texts, another one counts nanoseconds, which end in 2262. */
export const areMixedTimes = (types: readonly DataType[]): boolean =>
  types.some(({ kind }) => kind === 'date') && types.some(({ kind }) => kind === 'timestamp')

/** A date as its midnight; any other value unchanged. */
export function asMidnight(value: SqlExpr, { kind }: DataType): SqlExpr {
  if (kind !== 'date') return value
  return value.kind === 'literal' && typeof value.value === 'string'
    ? { ...value, value: `${value.value} 00:00:00`, type: TIMESTAMP }
    : { kind: 'cast', operand: value, type: TIMESTAMP }
}
