import { mapLeaves } from '../model/expression/ast.js'
import { mapOperands, mapOrder } from './expressions-of.js'
import type { Select, SqlExpr, SqlLeaf } from './statement.js'

/** The expression with other names of relations; those that are absent stay. */
export function renamed(expression: SqlExpr, names: ReadonlyMap<string, string>): SqlExpr {
  const own = (e: SqlExpr): SqlExpr => renamed(e, names)
  return mapLeaves<SqlLeaf, SqlLeaf>(expression, (leaf) => {
    switch (leaf.kind) {
      case 'output':
        return leaf
      case 'column': {
        const table = names.get(leaf.table)
        return table === undefined || table === leaf.table ? leaf : { ...leaf, table }
      }
      case 'aggregate':
      case 'window':
        return mapOperands(leaf, own)
    }
  })
}

/** The SELECT with other names of relations in its expressions; its FROM stays. */
export function renamedIn(select: Select, names: ReadonlyMap<string, string>): Select {
  const own = (e: SqlExpr): SqlExpr => renamed(e, names)
  return {
    ...select,
    items: select.items.map((item) => ({ ...item, expression: own(item.expression) })),
    where: select.where.map(own),
    groupBy: select.groupBy.map(own),
    having: select.having.map(own),
    orderBy: mapOrder(select.orderBy, own),
  }
}
