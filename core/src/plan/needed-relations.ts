import { leavesOf } from '../model/expression/ast.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import { ANYTHING, canBeTrue, NULL } from './possible-values.js'

/** The relations without a row of which a condition is never true. */
export function neededBy(condition: RowExpr): ReadonlySet<string> {
  const read = new Set(leavesOf<RelationColumn>(condition).map((column) => column.table))
  return new Set([...read].filter((table) => !canBeTrue(condition, (column) => (column.table === table ? NULL : ANYTHING))))
}
