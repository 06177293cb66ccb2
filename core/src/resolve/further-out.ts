import type { DataType } from '../model/data-type.js'
import { timeLiteral } from './bucket.js'
import { binary } from './expressions.js'
import type { RelationColumn, RowExpr } from './relation-column.js'
import type { Micros } from './time.js'

/** The end of some periods, or the period that they reach without rows if it is further out. An end without a row is that period. */
export function furtherOut(end: RowExpr, reached: Micros | undefined, operator: '<' | '>', type: DataType): RowExpr {
  if (reached === undefined) return end
  const further = timeLiteral<RelationColumn>(reached, type)
  return { kind: 'case', branches: [{ when: binary(operator, end, further), then: end }], otherwise: further }
}
