import type { RowExpr } from '../resolve/relation-column.js'

/** Whether the condition asks nothing of rows but that a column is not NULL, which leaves most of them. */
export const isPresence = (e: RowExpr): boolean =>
  e.kind === 'unary' && e.operator === 'not' && e.operand.kind === 'is-null' && e.operand.operand.kind === 'column'
