/** Small factories for the statements of `verify`. */
import { type DataType, INT } from '../model/data-type.js'
import { allOf, binary, coalesce, integer, isNotNull, isNull } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { aggregate, type From, type OrderItem, type Select, type SelectItem, type SqlExpr, select } from '../sql/statement.js'

export { aggregate, select }

export const item = (alias: string, expression: SqlExpr, type: DataType): SelectItem => ({ alias, expression, type })
export const column = relationColumn
export const part = (name: string): From => ({ kind: 'cte', name, alias: name })

/** The sum over the rows that satisfy all conditions; 0 for none. */
export function sumWhere(value: SqlExpr, conditions: readonly SqlExpr[]): SqlExpr {
  const when = allOf(conditions)
  const chosen: SqlExpr = when ? { kind: 'case', branches: [{ when, then: value }], otherwise: integer(0) } : value
  return coalesce(aggregate('sum', [chosen], INT), integer(0))
}

/** Written as a comparison, because not every engine accepts a plain TRUE as a condition. */
export const ALWAYS: SqlExpr = binary('=', integer(1), integer(1))
export const present = (values: readonly SqlExpr[]): SqlExpr[] => values.map((value) => isNotNull(value))
export const anyNull = (values: readonly SqlExpr[]): SqlExpr =>
  values.map((value): SqlExpr => isNull(value)).reduce((a, b) => binary('or', a, b))

export const ordered = (expression: SqlExpr, type: DataType, descending = false): OrderItem => ({
  expression,
  type,
  descending,
  nullsFirst: false,
})

export const leftJoin = (left: From, right: From, on: SqlExpr): From => ({ kind: 'join', type: 'left', left, right, on })
export const crossJoin = (left: From, right: From): From => ({ kind: 'join', type: 'cross', left, right, on: undefined })

/** The rows of a column set, grouped by all of its columns, with their number as `n`. */
export function counted(name: string, columns: readonly { readonly name: string; readonly type: DataType }[]): Select {
  const keys = columns.map((c) => item(c.name, column(name, c.name, c.type), c.type))
  return select([...keys, item('n', aggregate('count', [], INT), INT)], part(name), { groupBy: keys.map((k) => k.expression) })
}
