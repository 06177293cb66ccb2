import { grouped } from '../grouped.js'
import { leavesOf } from '../model/expression/ast.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import type { AggregateQuery, ResolvedAggregate } from '../resolve/resolved-query.js'
import { bindBlock } from './bind-block.js'
import type { BindContext } from './bind-context.js'
import type { BoundLookup } from './bound-query.js'
import { NO_REACH } from './reach.js'

type Sorted = Pick<AggregateQuery, 'sorts' | 'order'> & Partial<Pick<AggregateQuery, 'steps' | 'outputs'>>

/** The values that sort rows: those that an order, a window or a hidden column reads. */
export function readSorts({ sorts, order, steps = [], outputs = [] }: Sorted): readonly ResolvedAggregate[] {
  if (sorts.length === 0) return []
  const windows = steps.flatMap((step) => (step.kind === 'window' ? step.orderBy : []))
  const read: readonly RowExpr[] = [...order, ...windows, ...outputs].map(({ expression }) => expression)
  const names = new Set(read.flatMap((expression) => leavesOf<RelationColumn>(expression)).map((c) => c.name))
  return [...new Map(sorts.filter((s) => names.has(s.name)).map((s) => [s.name, s])).values()]
}

/** One block for the values of one object by the same dimensions, looked up for each row of the answer. It sees no condition of the query. */
export function sortLookups(sorts: readonly ResolvedAggregate[], context: BindContext): readonly BoundLookup[] {
  const groups = grouped(sorts, ({ base, dimensions }) => JSON.stringify([base, dimensions.map((d) => d.name)]))
  return [...groups.values()].map((aggregates): BoundLookup => {
    const [{ base, dimensions, conjuncts }] = aggregates
    const none = new Set<string>()
    const rows = { bridges: none, separate: none, bridgeFilters: [], fanOut: false, reach: NO_REACH }
    const block = bindBlock({ base, aggregates, dimensions, conjuncts, semiAdditive: undefined, ...rows }, context)
    return { block, shift: undefined, isWhole: false, addsRows: false, ofValues: true }
  })
}
