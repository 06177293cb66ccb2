import type { RowColumn } from '../bind/bound-block.js'
import type { BoundAggregateQuery } from '../bind/bound-query.js'
import { leavesOut } from './leaves-out.js'
import type { Leg, LogicalPlan, PlannedLeg } from './logical-plan.js'
import { ANYTHING, canBeTrue, known, NULL, type Possible, possible } from './possible-values.js'

/** The condition that keeps a row, if no earlier step reads other rows. */
export type Kept = Pick<BoundAggregateQuery, 'having' | 'steps'>

/** Blocks of the same rows become one; several are joined by their keys. */
export function combine(keys: readonly RowColumn[], legs: readonly PlannedLeg[], kept?: Kept): LogicalPlan {
  const [only] = legs
  if (legs.length === 1 && only) return only.input
  if (keys.length === 0) return legs.slice(1).reduce<LogicalPlan>((left, leg) => besideIt(left, leg), only!.input)
  const leading = leadingLeg(legs, kept)
  return {
    kind: 'combine',
    alias: 'combined',
    keys: keys.map(({ name, type }) => ({ name, type })),
    legs: legs.map((leg) => asLeg(leg, leading)),
    ...(leading && { leading: legs.indexOf(leading) }),
    reason:
      'each fact is aggregated alone; the rows are united and regrouped, so that NULL keys meet and no fact repeats another',
  }
}

/** Marks a leg with groups that no row of the leading one needs. */
function asLeg({ where, ...leg }: PlannedLeg, leading: PlannedLeg | undefined): Leg {
  return where && leading?.where && leavesOut(where, leading.where) ? { ...leg, isWider: true } : leg
}

/** The block with every row of the answer: the only one that creates rows, or one without which a row is not kept. */
function leadingLeg(legs: readonly PlannedLeg[], kept: Kept | undefined): PlannedLeg | undefined {
  const making = legs.filter((leg) => leg.contributesRows)
  return making.length === 1 ? making[0] : kept && making.find((leg) => !isKeptWithout(leg, kept))
}

function isKeptWithout({ values }: PlannedLeg, { having, steps }: Kept): boolean {
  if (having === undefined) return true
  const found = new Map(values.map(({ name, emptyIsZero }) => [name, emptyIsZero ? known(0) : NULL]))
  for (const step of steps) found.set(step.name, step.kind === 'window' ? ANYTHING : possible(step.expression, valueWithout))
  return canBeTrue(having, valueWithout)

  function valueWithout({ name }: { readonly name: string }): Possible {
    return found.get(name) ?? ANYTHING
  }
}

/** Without dimensions every block is one row, and the rows are joined without a condition. */
function besideIt(left: LogicalPlan, leg: PlannedLeg): LogicalPlan {
  const label = { from: '', to: leg.base, columns: [], reason: 'one row each, side by side' }
  return { kind: 'join', type: 'cross', left, right: leg.input, on: [], label }
}
