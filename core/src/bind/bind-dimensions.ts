import { fail } from '../errors.js'
import { reachesAll } from '../resolve/locate.js'
import type { AggregateQuery, DimensionQuery, ResolvedDimension } from '../resolve/resolved-query.js'
import type { Bound } from './bind-aggregate.js'
import { bindBlock } from './bind-block.js'
import type { BindContext } from './bind-context.js'
import type { BoundBlock } from './bound-block.js'
import type { BoundDimensionRows, BoundExclude } from './bound-query.js'
import { conjunctsFor, reachOfAll } from './reach.js'
import { readSorts, sortLookups } from './sort-lookups.js'
import { tupleBases, tupleRequests } from './tuples.js'

/** The values of each dimension, and the existing tuples. */
export function bindExclude(query: DimensionQuery, context: BindContext): Bound<BoundExclude> {
  const { dimensions, outputs, order } = query
  const values = dimensions.map((d) => valueBlocks(d, query, context))
  const tuples = tupleRequests(dimensions, query)
  const occurring = tuples.map((request) => bindBlock(request, context))
  return {
    rows: { kind: 'exclude', dimensions, values, occurring, outputs, order, lookups: sortLookups(readSorts(query), context) },
    reach: reachOfAll(tuples.map((t) => t.reach)),
    warnings: [],
    bases: tuples.map((t) => t.base),
  }
}

/** The values of one dimension, restricted only by conjuncts whose every field its object reaches directly. */
const valueBlocks = (dimension: ResolvedDimension, query: DimensionQuery, context: BindContext): BoundBlock[] =>
  tupleBases([dimension], query).map((base) => {
    const where = query.where.filter((c) => reachesAll(base, c.leaves, query.graph))
    const { conjuncts, reach } = conjunctsFor(base, { ...query, where }, '')
    const none = new Set<string>()
    const read = { conjuncts, bridges: none, separate: none, bridgeFilters: [], fanOut: false, reach }
    return bindBlock({ base, aggregates: [], dimensions: [dimension], ...read }, context)
  })

/** The dimensions of every row of an object. Throws `NO_JOIN_PATH` for a dimension of which a row can have several values. */
export function bindDimensionRows(query: AggregateQuery, base: string, context: BindContext): Bound<BoundDimensionRows> {
  const { dimensions, outputs } = query
  const conditions = conjunctsFor(base, query, `the rows of '${base}'`)
  const block = bindBlock({ base, aggregates: [], dimensions, ...conditions, bridgeFilters: [], fanOut: false }, context)
  if (block.onceBy) {
    fail('NO_JOIN_PATH', `A row of '${base}' can have several values of a selected field, so its rows cannot show the field`, {
      path: 'select.dimensions',
    })
  }
  return { rows: { kind: 'dimension-rows', block, outputs }, reach: conditions.reach, warnings: [], bases: [base] }
}
