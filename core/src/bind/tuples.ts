import { fail } from '../errors.js'
import { fieldLeaves } from '../resolve/locate.js'
import type { AggregateQuery, DimensionQuery, ResolvedDimension } from '../resolve/resolved-query.js'
import type { BlockRequest } from './block-request.js'
import { conjunctsFor } from './reach.js'

/** The rows of a dimension-only query: one block per minimal object that reaches all dimensions (docs/decisions/rows.md). */
export const tupleRequests = (
  dimensions: readonly ResolvedDimension[],
  query: AggregateQuery | DimensionQuery,
): readonly BlockRequest[] =>
  tupleBases(dimensions, query).map((base) => {
    const reached = conjunctsFor(base, query, `the combinations at '${base}'`)
    return { base, aggregates: [], dimensions, ...reached, bridgeFilters: [], fanOut: false }
  })

/** The minimal objects that reach all dimensions. Throws `NO_JOIN_PATH`. */
export function tupleBases(dimensions: readonly ResolvedDimension[], { graph }: AggregateQuery | DimensionQuery): string[] {
  const leaves = dimensions.flatMap(fieldLeaves)
  const reachesAll = (node: string): boolean =>
    leaves.every(({ members }) => members.some((m) => graph.reaches(node, m.object, m.via)))
  const selected = dimensions.flatMap((d) => d.members.map((m) => m.object))
  const bases = graph.minimal(graph.nodes.filter(reachesAll), selected)
  if (bases.length > 0) return bases
  const names = dimensions.map((d) => `'${d.label}'`).join(' and ')
  return fail(
    'NO_JOIN_PATH',
    `no data object reaches ${names}, so their combinations are not known; add a measure that connects them`,
    {
      path: 'select.dimensions',
    },
  )
}
