import type { DataType } from '../model/data-type.js'
import { type Expr, leavesOf } from '../model/expression/ast.js'
import type { StoredColumn } from '../model/stored-column.js'

/** A column of a relation inside a plan or statement: `table` is an alias, `''` if there is only one relation (the answer's rows). */
export interface RelationColumn {
  readonly kind: 'column'
  readonly table: string
  readonly name: string
  readonly type: DataType
  /** Set if the stored type of the column differs, or may differ, from `type`: a statement converts it where it is scanned. */
  readonly stored?: StoredColumn
}

export type RowExpr = Expr<RelationColumn>

/** The relation of each column that an expression reads. */
export const tablesIn = (expression: RowExpr): readonly string[] => leavesOf<RelationColumn>(expression).map(({ table }) => table)

/** Whether an expression reads a column of any of the relations. */
export const readsAny = (expression: RowExpr, tables: ReadonlySet<string>): boolean =>
  tablesIn(expression).some((table) => tables.has(table))

export const relationColumn = (table: string, name: string, type: DataType): RelationColumn => ({
  kind: 'column',
  table,
  name,
  type,
})
