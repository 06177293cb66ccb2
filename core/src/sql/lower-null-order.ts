import { BOOLEAN, INT } from '../model/data-type.js'
import { isInner, leavesOf, replaceNodes } from '../model/expression/ast.js'
import { isNull } from '../resolve/expressions.js'
import { includesSame } from '../same.js'
import { aggregate, type OrderItem, type Select, type SqlExpr, type SqlLeaf } from './statement.js'

/**
 * The SELECT for an engine whose NULL is the smallest value and whose ORDER BY cannot position NULLs: before a key whose NULLs belong to
 * the other end, a key is added that says which rows are NULL.
 */
export function emulateNullsOrder(given: Select): Select {
  const misplaced = given.orderBy.some((order) => isMisplaced(order, given))
  // With DISTINCT only selected columns can order the rows; grouping by the same columns gives the same rows.
  const select =
    misplaced && given.distinct ? { ...given, distinct: false, groupBy: given.items.map((item) => item.expression) } : given
  const placing = new Placing(select)
  return {
    ...select,
    items: select.items.map((item) => ({ ...item, expression: placing.inside(item.expression) })),
    groupBy: select.groupBy.map((key) => placing.inside(key)),
    having: select.having.map((condition) => placing.inside(condition)),
    orderBy: placing.keys(select.orderBy),
  }
}

class Placing {
  constructor(private readonly select: Select) {}

  /** The expression with the orders inside it. */
  inside(expression: SqlExpr): SqlExpr {
    const ordered = leavesOf<SqlLeaf>(expression).some((leaf) => leaf.kind === 'window' || leaf.kind === 'aggregate')
    return ordered ? replaceNodes<SqlLeaf>(expression, (node) => this.#leaf(node)) : expression
  }

  keys(orderBy: readonly OrderItem[]): OrderItem[] {
    return orderBy.flatMap((order) => {
      const own = { ...order, expression: this.inside(order.expression) }
      return isMisplaced(order, this.select) ? [this.#missing(order), own] : [own]
    })
  }

  /**
   * Tells which rows are NULL. Inside an expression an output name would be read as a column of the tables, so the expression itself is
   * written.
   */
  #missing({ expression, nullsFirst }: OrderItem): OrderItem {
    const value = meant(expression, this.select)
    const ofGroup = replaceNodes<SqlLeaf>(value, (node) => {
      // Not every engine accepts a grouping key inside an expression; all of its values in a group are equal, so any can be used.
      if (includesSame(this.select.groupBy, node)) return isColumn(node) ? node : aggregate('max', [node], INT)
      return this.#leaf(node)
    })
    return { expression: isNull(ofGroup), type: BOOLEAN, descending: nullsFirst, nullsFirst: !nullsFirst }
  }

  /** A frame of an interval takes one key, and contains no NULL but in the rows of NULL, wherever they are. */
  #leaf(node: SqlExpr): SqlExpr | undefined {
    if (isInner<SqlLeaf>(node)) return undefined
    switch (node.kind) {
      case 'aggregate':
        return node.orderBy.length === 0
          ? node
          : { ...node, orderBy: new Placing({ ...this.select, groupBy: [] }).keys(node.orderBy) }
      case 'window':
        return {
          ...node,
          args: node.args.map((arg) => this.inside(arg)),
          orderBy: typeof node.frame === 'object' ? node.orderBy : this.keys(node.orderBy),
        }
      default:
        return node
    }
  }
}

/** NULL goes first in ascending order, and last in descending order. */
const isMisplaced = (order: OrderItem, select: Select): boolean =>
  order.descending === order.nullsFirst && !isNeverNull(meant(order.expression, select))

/** What an output column is. */
function meant(expression: SqlExpr, { items }: Select): SqlExpr {
  if (expression.kind !== 'output') return expression
  return items.find((item) => item.alias === expression.alias)?.expression ?? expression
}

const isColumn = (node: SqlExpr): boolean => node.kind === 'column'

function isNeverNull(node: SqlExpr): boolean {
  switch (node.kind) {
    case 'literal':
      return node.value !== null
    case 'is-null':
      return true
    case 'aggregate':
      return node.name.startsWith('count')
    case 'call':
      return node.name === 'coalesce' && node.args.some(isNeverNull)
    default:
      return false
  }
}
