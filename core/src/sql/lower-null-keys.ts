import { replaceNodes } from '../model/expression/ast.js'
import { call } from '../resolve/expressions.js'
import { includesSame } from '../same.js'
import type { Select, SqlExpr, SqlLeaf } from './statement.js'

/** The SELECT with grouping sets whose keys may all be NULL. Conditions on rows and the arguments of aggregates read the values themselves. */
export function allowNullKeys(given: Select): Select {
  if (!given.sets) return given
  const replacement = (node: SqlExpr): SqlExpr | undefined => {
    if (includesSame(given.groupBy, node)) return call('nullable', node)
    return node.kind === 'aggregate' && node.name === 'grouping' ? { ...node, args: node.args.map(read) } : undefined
  }
  const read = (e: SqlExpr): SqlExpr => replaceNodes<SqlLeaf>(e, replacement)
  return {
    ...given,
    items: given.items.map((item) => ({ ...item, expression: read(item.expression) })),
    groupBy: given.groupBy.map(read),
    having: given.having.map(read),
    orderBy: given.orderBy.map((order) => ({ ...order, expression: read(order.expression) })),
  }
}
