import { type RelationColumn, type RowExpr, tablesIn } from '../resolve/relation-column.js'
import { conditionOf } from '../resolve/row-terms.js'
import { isSame } from '../same.js'
import type { LogicalPlan } from './logical-plan.js'
import { ANYTHING, canBeTrue, NULL } from './possible-values.js'

/** The relations without whose row a condition is never true. */
export function neededBy(condition: RowExpr): ReadonlySet<string> {
  const read = new Set(tablesIn(condition))
  return new Set([...read].filter((table) => !canBeTrue(condition, (column) => (column.table === table ? NULL : ANYTHING))))
}

/**
 * Whether groups always have this key: it is a column of the key of the first table, or a condition or an inner join of their rows is never true
 * if it is NULL.
 */
export function isNeverNull(groups: LogicalPlan, name: string): boolean {
  if (groups.kind === 'lookup') return isNeverNull(groups.input, name)
  if (groups.kind !== 'aggregate' || groups.sets) return false
  const key = groups.keys.find((one) => one.name === name)?.expression
  return key?.kind === 'column' && key.table !== '' && isHeld(groups.input, key)
}

function isHeld(rows: LogicalPlan, column: RelationColumn): boolean {
  if (rows.kind === 'scan') return rows.alias === column.table && rows.key?.includes(column.name) === true
  if (rows.kind === 'filter') return refusesNull(rows.condition, column) || isHeld(rows.input, column)
  if (rows.kind !== 'join') return false
  const on = rows.type === 'inner' ? conditionOf(rows.on) : undefined
  return (on !== undefined && refusesNull(on, column)) || isHeld(rows.left, column)
}

/** Whether a condition is never true if a column is NULL. */
export const refusesNull = (condition: RowExpr, { table, name }: RelationColumn): boolean =>
  !canBeTrue(condition, (other) => (other.table === table && other.name === name ? NULL : ANYTHING))

/** Whether the condition only requires that a column is not NULL, which keeps most rows. */
export const isPresence = (e: RowExpr): boolean => presentColumn(e) !== undefined

/** Whether the condition only requires that this column is not NULL. */
export const isPresenceOf = (e: RowExpr, column: RowExpr): boolean => isSame(presentColumn(e), column)

const presentColumn = (e: RowExpr): RelationColumn | undefined => {
  const operand = e.kind === 'unary' && e.operator === 'not' && e.operand.kind === 'is-null' ? e.operand.operand : undefined
  return operand?.kind === 'column' ? operand : undefined
}
