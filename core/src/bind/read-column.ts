import { type DataType, INT } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import type { FoundRows, JoinLabel } from './bound-block.js'

/**
 * What is read in a block. A column of a role says by its table how the role is reached. Others have no name until all that the block reads is known
 * (`block-columns.ts`), and say what they are made of instead, so that two that read alike are the same.
 */
export type ReadColumn = RelationColumn | FoundColumn | BridgeColumn
export type ReadExpr = Expr<ReadColumn>

/** NULL where none of the found rows connects. */
export interface FoundColumn {
  readonly kind: 'found'
  /** The rows beside which they are sought. */
  readonly node: string
  readonly found: Omit<FoundRows, 'alias' | 'kind'>
  /** What the links are equal to, one by one. */
  readonly linkedTo: readonly RowExpr[]
  readonly label: JoinLabel
  readonly type: DataType
}

/** A value of the rows of a bridge that is a relation of its own. */
export interface BridgeColumn {
  readonly kind: 'of-bridge'
  readonly node: string
  readonly value: Expr<RelationColumn | FoundColumn>
  readonly type: DataType
}

export const foundColumn = (column: Omit<FoundColumn, 'kind' | 'type'>): FoundColumn => ({ kind: 'found', ...column, type: INT })
