import type { RowColumn } from '../bind/bound-block.js'
import { madeOf } from '../relation/relation.js'
import { type LogicalPlan, type Measured, sameColumn } from './logical-plan.js'

/** No object of a model has this name. */
export const SHOWN = 'the detail rows that are shown'

export const isShown = ({ of }: Pick<Measured, 'of'>): boolean => of === SHOWN

/** The distinct values of some of their dimensions. */
export function shownTuples(alias: string, columns: readonly RowColumn[]): LogicalPlan & { readonly kind: 'distinct' } {
  const inner = madeOf('all', '_shown', [alias])
  return {
    kind: 'distinct',
    input: { kind: 'measured-rows', of: SHOWN, alias: inner },
    alias,
    columns: columns.map((c) => sameColumn(c, inner)),
    reason: 'what the answer shows, once',
  }
}
