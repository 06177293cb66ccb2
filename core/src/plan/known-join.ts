import type { BoundJoin } from '../bind/bound-block.js'
import { equalityOf } from '../model/join-term.js'
import type { Join } from './logical-plan.js'

/** A join of the model by equal columns to the rows of a table: it finds at most one row. */
export const isModelJoin = ({ right, label, on }: Pick<BoundJoin | Join, 'right' | 'label' | 'on'>): boolean =>
  right.kind === 'scan' && right.elements === undefined && label.role !== undefined && equalityOf(on) !== undefined

/** Whether rules know by what its rows match: equal columns, and conditions that a plan adds. They leave a join alone that has any other term. */
export const isKnownJoin = ({ on }: Pick<BoundJoin | Join, 'on'>): boolean =>
  on.every(({ kind }) => kind === 'equal' || kind === 'holds')
