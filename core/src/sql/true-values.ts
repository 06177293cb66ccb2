/** Booleans that are stored as texts or whole numbers, and the values that the model lists as true. */
import { INT } from '../model/data-type.js'
import type { PhysicalKind, PhysicalType } from '../model/physical-type.js'
import type { StoredColumn } from '../model/stored-column.js'
import { type TrueValues, typeOfTrueValues } from '../model/true-values.js'
import { call, literal } from '../resolve/expressions.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

const NUMBERS: ReadonlySet<PhysicalKind> = new Set(['integer', 'decimal', 'real', 'double'])
const TEXTS: ReadonlySet<PhysicalKind> = new Set(['text', 'padded', 'folded', 'enum'])

/** The type of a column that holds such values, if nothing else says it. */
export const writtenAs = (values: TrueValues): PhysicalType =>
  typeOfTrueValues(values) === INT ? { kind: 'integer', name: 'bigint' } : { kind: 'text', name: 'text' }

export const holds = ({ kind }: PhysicalType, values: TrueValues): boolean =>
  (typeOfTrueValues(values) === INT ? NUMBERS : TEXTS).has(kind)

/** What to write for a column of this type; `undefined` if no values can be listed. */
export function howToList({ kind }: PhysicalType): string | undefined {
  if (TEXTS.has(kind)) return "list the texts that are true: trueValues: ['Y']"
  if (NUMBERS.has(kind)) return 'list the numbers that are true: trueValues: [1]'
  return kind === 'boolean' ? 'remove trueValues' : undefined
}

/** Whether a stored value is listed; NULL for NULL, like any comparison. */
export function isListed(values: TrueValues, x: SqlExpr, { physical, collation }: StoredColumn): SqlExpr {
  const type = typeOfTrueValues(values)
  const isPlain = physical && (type === INT || physical.kind === 'text')
  const plain: SqlExpr = isPlain ? x : { kind: 'cast', operand: x, type }
  const operand = collation === undefined ? plain : call<SqlLeaf>('exact_text', plain)
  return { kind: 'in', operand, list: values.map((value) => literal(value, type)) }
}
