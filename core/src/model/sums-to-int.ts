import type { ColumnRef, Expr } from './expression/ast.js'
import type { Column } from './semantic-model.js'

const NARROW = /^(tinyint|smallint|int2|int4|int|integer|mediumint|int8_t|utinyint|usmallint)\b/i

/** Whether the sum of an input is a whole number: sums of values of at most 32 bits cannot overflow 64 bits. */
export function sumsToInt(input: Expr<ColumnRef>, columnOf: (ref: ColumnRef) => Column | undefined): boolean {
  if (input.kind !== 'column') return false
  const column = columnOf(input)
  return column?.type.kind === 'int' && column.sqlType !== undefined && NARROW.test(column.sqlType.trim())
}
