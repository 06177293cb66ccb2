import { leavesOf, someNode } from '../model/expression/ast.js'
import type { AggregateCall, From, OrderItem, Query, Select, SqlExpr, SqlLeaf, Statement, WindowCall } from './statement.js'

/** The expressions of a SELECT, except the conditions of its joins. */
export const expressionsOf = ({ items, where, groupBy, having, orderBy }: Select): readonly SqlExpr[] => [
  ...items.map((item) => item.expression),
  ...where,
  ...groupBy,
  ...having,
  ...inOrder(orderBy),
]

/** What a call reads. */
export const operandsOf = (call: AggregateCall | WindowCall): readonly SqlExpr[] => [
  ...call.args,
  ...(call.kind === 'window' ? call.partitionBy : []),
  ...inOrder(call.orderBy),
]

/** The call over what its operands become, one after another. */
export function mapOperands(call: AggregateCall | WindowCall, change: (operand: SqlExpr) => SqlExpr): AggregateCall | WindowCall {
  const args = call.args.map(change)
  if (call.kind === 'aggregate') return { ...call, args, orderBy: mapOrder(call.orderBy, change) }
  return { ...call, args, partitionBy: call.partitionBy.map(change), orderBy: mapOrder(call.orderBy, change) }
}

export const mapOrder = (orderBy: readonly OrderItem[], change: (key: SqlExpr) => SqlExpr): readonly OrderItem[] =>
  orderBy.map((item) => ({ ...item, expression: change(item.expression) }))

const inOrder = (items: readonly OrderItem[]): readonly SqlExpr[] => items.map((item) => item.expression)

/** Whether an expression reads a column of a relation. */
export const reads = (expression: SqlExpr, alias: string): boolean =>
  leavesOf<SqlLeaf>(expression).some((leaf) => {
    if (leaf.kind === 'column') return leaf.table === alias
    return leaf.kind !== 'output' && operandsOf(leaf).some((e) => reads(e, alias))
  })

/** Whether a statement calls a function. */
export const calls = ({ ctes, body }: Statement, name: string): boolean =>
  [...ctes.map(({ query }) => query), body].some((query) => callsInQuery(query, name))

const callsInQuery = (query: Query, name: string): boolean =>
  (query.kind === 'select' ? [query] : query.parts).some(
    (select) => expressionsOf(select).some((e) => callsIn(e, name)) || callsInFrom(select.from, name),
  )

function callsInFrom(from: From, name: string): boolean {
  if (from.kind === 'subquery') return callsInQuery(from.query, name)
  if (from.kind !== 'join') return false
  return (from.on !== undefined && callsIn(from.on, name)) || callsInFrom(from.left, name) || callsInFrom(from.right, name)
}

const callsIn = (expression: SqlExpr, name: string): boolean =>
  expression.kind !== 'column' &&
  someNode<SqlLeaf>(expression, (node) => {
    if (node.kind === 'call') return node.name === name
    return (node.kind === 'aggregate' || node.kind === 'window') && operandsOf(node).some((e) => callsIn(e, name))
  })
