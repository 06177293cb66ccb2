import { type DataType, INT } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import type { DayRange, FoundRows, JoinLabel } from './bound-block.js'

/**
 * What is read in a block. The table of a role's column says how the role is reached. Other columns have no name until everything that the block reads is known
 * (`block-columns.ts`). Until then they contain their definition, so that equal ones are the same.
 */
export type ReadColumn = RelationColumn | FoundColumn | BridgeColumn | PeriodEndColumn
export type ReadExpr = Expr<ReadColumn>

/** NULL if none of the found rows connects. */
export interface FoundColumn {
  readonly kind: 'found'
  /** The rows for which they are looked up. */
  readonly node: string
  readonly found: Omit<FoundRows, 'alias' | 'kind'>
  /** The values that equal the links, one by one. */
  readonly linkedTo: readonly RowExpr[]
  readonly label: JoinLabel
  readonly type: DataType
}

/** The first or the last day of the rows of a calendar; NULL if there are none. */
export interface PeriodEndColumn {
  readonly kind: 'period-end'
  readonly node: string
  readonly end: 'first' | 'last'
  readonly days: Omit<DayRange, 'alias' | 'kind'>
  readonly label: JoinLabel
  readonly type: DataType
}

/** A value of the rows of a bridge that is a separate relation. */
export interface BridgeColumn {
  readonly kind: 'of-bridge'
  readonly node: string
  readonly value: Expr<RelationColumn | FoundColumn>
  readonly type: DataType
}

export const foundColumn = (column: Omit<FoundColumn, 'kind' | 'type'>): FoundColumn => ({ kind: 'found', ...column, type: INT })
