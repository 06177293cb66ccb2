import { fail } from '../errors.js'
import { fieldLeaves } from '../resolve/locate.js'
import type { AggregateQuery, DimensionQuery, ResolvedDimension } from '../resolve/resolved-query.js'
import { planBlock } from './block.js'
import { conjunctsFor, type FilterReport } from './filter-report.js'
import type { LogicalPlan } from './logical-plan.js'
import type { PlannedLeg } from './planned.js'
import type { RowsContext } from './rows-context.js'

/** The rows of a dimension-only query: one leg per minimal object that reaches all dimensions (`semantics.md` §4). */
export function tupleLegs(
  dimensions: readonly ResolvedDimension[],
  query: AggregateQuery | DimensionQuery,
  context: RowsContext,
  report: FilterReport,
): PlannedLeg[] {
  return tupleHomes(dimensions, query).map((home): PlannedLeg => {
    const name = context.aliases.derived(home, '_tuples')
    const { conjuncts, bridges, apart } = conjunctsFor(home, query, report, `the combinations at '${home}'`)
    const request = {
      home,
      atoms: [],
      dimensions,
      conjuncts,
      bridges,
      apart,
      bridgeFilters: [],
      fanOut: false,
    }
    return { input: planBlock(request, context, name), name, present: true, values: [], home }
  })
}

/** The minimal objects that reach all dimensions. Throws `NO_JOIN_PATH`. */
export function tupleHomes(dimensions: readonly ResolvedDimension[], { graph }: AggregateQuery | DimensionQuery): string[] {
  const leaves = dimensions.flatMap(fieldLeaves)
  const reachesAll = (node: string): boolean =>
    leaves.every(({ members }) => members.some((m) => graph.reaches(node, m.object, m.via)))
  const selected = dimensions.flatMap((d) => d.members.map((m) => m.object))
  const homes = graph.minimal(graph.nodes.filter(reachesAll), selected)
  if (homes.length > 0) return homes
  const names = dimensions.map((d) => `'${d.label}'`).join(' and ')
  return fail(
    'NO_JOIN_PATH',
    `no data object reaches ${names}, so their combinations are not known; add a measure that connects them`,
    {
      path: 'select.dimensions',
    },
  )
}

/** Tuples of several objects, each once. */
export function unite(dimensions: readonly ResolvedDimension[], legs: readonly PlannedLeg[], context: RowsContext): LogicalPlan {
  if (legs.length === 1) return legs[0]!.input
  const keys = dimensions.map(({ name, type }) => ({ name, type }))
  return {
    kind: 'combine',
    alias: context.aliases.derived('combined'),
    keys,
    legs,
    reason: 'tuples of every object that holds them',
  }
}
