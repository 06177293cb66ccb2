import { fail } from '../errors.js'
import { fieldLeaves } from '../resolve/locate.js'
import type { AggregateQuery, DimensionQuery, ResolvedDimension } from '../resolve/resolved-query.js'
import type { BlockRequest } from './block-request.js'
import { conjunctsFor } from './reach.js'

/** The rows of a dimension-only query: one block per minimal object that reaches all dimensions (`semantics.md` §4). */
export const tupleRequests = (
  dimensions: readonly ResolvedDimension[],
  query: AggregateQuery | DimensionQuery,
): readonly BlockRequest[] =>
  tupleHomes(dimensions, query).map((home) => {
    const reached = conjunctsFor(home, query, `the combinations at '${home}'`)
    return { home, atoms: [], dimensions, ...reached, bridgeFilters: [], fanOut: false }
  })

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
