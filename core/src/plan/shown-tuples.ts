import type { RowColumn } from '../bind/bound-block.js'
import { madeOf } from '../relation/relation.js'
import { type Distinct, type LogicalPlan, type Measured, sameColumn } from './logical-plan.js'

/** No object of a model has this name. */
export const SHOWN = 'the detail rows that are shown'

export const isShown = ({ of }: Pick<Measured, 'of'>): boolean => of === SHOWN

/** The distinct values of some of their dimensions. */
export function shownTuples(alias: string, columns: readonly RowColumn[]): Distinct {
  const inner = madeOf('all', '_shown', [alias])
  return {
    kind: 'distinct',
    input: { kind: 'measured-rows', of: SHOWN, alias: inner },
    alias,
    columns: columns.map((c) => sameColumn(c, inner)),
    reason: 'what the answer shows, once',
  }
}

/** Whether a plan has those values and nothing else. */
export const isShownTuples = (plan: LogicalPlan): plan is Distinct =>
  plan.kind === 'distinct' && plan.input.kind === 'measured-rows' && isShown(plan.input)
