import type { DataType } from '../model/data-type.js'
import { freeName } from '../resolve/aliases.js'
import { integer, isNotNull, onlyWhere, TRUE } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { isSame } from '../same.js'
import { type Aggregate, type NamedAggregate, type NamedExpr, sameColumn } from './logical-plan.js'

/** The same aggregation of rows, named `alias`, in which each key, and each value that is aggregated, is a column. */
export function overColumns(node: Aggregate, alias: string, typeOf: (expression: RowExpr) => DataType): Aggregate {
  const added: NamedExpr[] = []
  const carry = (name: string, expression: RowExpr): RowExpr => {
    const known = added.find((column) => isSame(column.expression, expression))
    if (known) return sameColumn(known, alias).expression
    const column = { name: freeName(name, node.keys), expression, type: typeOf(expression) }
    added.push(column)
    return relationColumn(alias, column.name, column.type)
  }
  const aggregates = overValues(node.aggregates, carry)
  return {
    ...node,
    input: { kind: 'project', input: node.input, alias, columns: [...node.keys, ...added], stage: true },
    keys: node.keys.map((key) => sameColumn(key, alias)),
    aggregates,
  }
}

function overValues(
  aggregates: readonly NamedAggregate[],
  carry: (name: string, expression: RowExpr) => RowExpr,
): readonly NamedAggregate[] {
  let n = 0
  return aggregates.map(({ filter, onlyWith, ...call }) => {
    const args = call.args.length === 0 && filter ? [integer(1)] : call.args
    return {
      ...call,
      args: args.map((arg, i) => carry(`value_${++n}`, i === 0 ? onlyWhere(filter, arg) : arg)),
      orderBy: call.orderBy.map((key) => ({ ...key, expression: carry(`order_${++n}`, key.expression) })),
      filter: undefined,
      ...(onlyWith && { onlyWith: carriedCondition(onlyWith, (met) => carry(`met_${++n}`, met)) }),
    }
  })
}

/** A condition on rows that are columns now is read from one of them, which says 1 where the condition holds. */
export const carriedCondition = (condition: RowExpr, carry: (met: RowExpr) => RowExpr): RowExpr =>
  isSame(condition, TRUE) ? TRUE : isNotNull(carry(onlyWhere(condition, integer(1))))
