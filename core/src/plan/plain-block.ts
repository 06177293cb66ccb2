import type { BoundBlock, BoundJoin } from '../bind/bound-block.js'
import type { Join } from './logical-plan.js'

/** Whether every row of the base counts once, with its own weight, and no other relation decides the rows. */
export const isPlainBlock = ({ onceBy, weight, semiAdditive, from }: BoundBlock): boolean =>
  !onceBy && !weight && !semiAdditive && !from.facts && !from.top && from.bridges.length === 0

/** A join of the model to the rows of a table: it finds at most one row. */
export const isModelJoin = ({ right, label }: Pick<BoundJoin | Join, 'right' | 'label'>): boolean =>
  right.kind === 'scan' && right.elements === undefined && label.role !== undefined
