import type { BesideBase, BoundBlock, BoundFact, FactsInWindows } from '../bind/bound-block.js'
import { relationColumn } from '../resolve/relation-column.js'
import type { PeriodWindow } from '../resolve/resolved-query.js'
import { planFact, planPartsOf, planUntaken } from './block.js'
import { planFrom } from './from.js'
import { type Aggregate, type PlannedLeg, plainAggregate, type Shared, sameColumn } from './logical-plan.js'
import { overWindows } from './over-windows.js'

/** A block over several facts over the rows of each window: grouped by the window's time and partition, and by the groups within it. */
export function planMultiFactWindow(
  block: BoundBlock,
  { facts, own, groupBy }: FactsInWindows,
  window: PeriodWindow,
  rows: Shared,
): Aggregate {
  const planned = facts.map((fact) => ({ beside: fact.beside, leg: planFact(fact) }))
  const inWindows = planned.map(({ leg, beside }): PlannedLeg => {
    const { input: right, name: alias } = beside ? besideBase(leg, beside) : leg
    const aggregates = leg.values.map(({ name, type }) => plainAggregate(name, 'sum', [relationColumn(alias, name, type)], type))
    const input = overWindows({ window, right, alias, groupBy, aggregates }, rows)
    return { ...leg, input, name: input.alias }
  })
  const legs = own ? [baseRows(own, { window, groupBy }, rows), ...inWindows] : inWindows
  return planUntaken(block, 'running', legs)
}

function baseRows(
  { block, alias }: BoundFact,
  { window, groupBy }: Pick<FactsInWindows, 'groupBy'> & { readonly window: PeriodWindow },
  rows: Shared,
): PlannedLeg {
  const { input: right } = planFact({ block, alias })
  const input = overWindows({ window, right, alias, groupBy, aggregates: [], timeless: true }, rows)
  return { input, name: input.alias, contributesRows: true, values: [], base: block.base }
}

/** A fact's sums with the values of dimensions that only the base has. */
function besideBase(leg: PlannedLeg, { from, columns, alias }: BesideBase) {
  const input = planFrom(from, planPartsOf([leg]))
  const { keys = [] } = from.facts ?? {}
  const all = [...[...keys, ...leg.values].map((c) => sameColumn(c)), ...columns]
  return { input: { kind: 'project', input, alias, columns: all, stage: true } as const, name: alias }
}
