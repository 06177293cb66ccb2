import { isInner, replaceNodes } from '../model/expression/ast.js'
import type { Select, SqlExpr, SqlLeaf } from './statement.js'

/**
 * The SELECT for an engine whose ORDER BY reads selected columns by their output names, also inside of expressions. Without it, Spark carries the
 * column a second time and its optimizer may lose it (PLAN_VALIDATION_FAILED_RULE_IN_BATCH, Spark 4.3).
 */
export function orderByOutput(given: Select): Select {
  if (given.orderBy.length === 0 || given.groupBy.length > 0) return given
  const outputs = new Map<string, SqlExpr>()
  for (const { expression, alias, type } of given.items) {
    const name = columnName(expression)
    if (name !== undefined) outputs.set(name, { kind: 'output', alias, type })
  }
  const read = (node: SqlExpr): SqlExpr | undefined => {
    if (isInner<SqlLeaf>(node)) return undefined
    return outputs.get(columnName(node) ?? '') ?? node
  }
  return {
    ...given,
    orderBy: given.orderBy.map((order) => ({ ...order, expression: replaceNodes<SqlLeaf>(order.expression, read) })),
  }
}

/** For a column of a relation; undefined for everything else. */
function columnName(expression: SqlExpr): string | undefined {
  return expression.kind === 'column' ? JSON.stringify([expression.table, expression.name]) : undefined
}
