import { fail } from '../errors.js'
import { isHiddenName } from '../hidden-name.js'
import { isOffered } from '../model/semantic-model.js'
import { readObjects } from '../resolve/base-of.js'
import type { JoinGraph } from '../resolve/join-graph.js'
import { fieldLeaves, isLocated, reachesAll } from '../resolve/locate.js'
import type { AggregateQuery, DimensionQuery, FieldLeaf, FieldSource, ResolvedDimension } from '../resolve/resolved-query.js'
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

/**
 * The object that the query names, else the minimal objects that reach all dimensions. An object after the `via` of all dimensions has
 * their values; if they differ in their `via`, its rows say nothing about which values occur together. Throws `NO_JOIN_PATH`.
 */
export function tupleBases(dimensions: readonly ResolvedDimension[], query: AggregateQuery | DimensionQuery): string[] {
  const { graph, rowsOf } = query
  if (rowsOf !== undefined) {
    const missed = dimensions.find((d) => !reachesAll(rowsOf, fieldLeaves(d), graph))
    return missed ? refuseUnreached(missed, rowsOf) : [rowsOf]
  }
  const leaves = dimensions.flatMap(fieldLeaves)
  const all = dimensions.flatMap((d) => d.members)
  const isOneRole = dimensions.length === 1 || all.every((m) => m.via === all[0]?.via)
  const isReached = (node: string, { object, via }: FieldSource): boolean =>
    isOneRole ? graph.reaches(node, object, via) : graph.passes(node, object, via)
  const isBase = (node: string): boolean => leaves.every(({ members }) => members.some((m) => isReached(node, m)))
  const selected = all.map((m) => m.object)
  const reaching = graph.nodes.filter(isBase)
  // A generated calendar without bounds has no rows. Its periods are those of the facts that join it.
  const known = reaching.filter((node) => !isUnbounded(node, graph))
  const bases = graph.minimal(known.length > 0 ? known : reaching, selected)
  if (bases.length > 0) return bases
  const names = [...new Set(leaves.map((leaf) => `'${leaf.name}'`))].join(' and ')
  const measure = connectingMeasure(leaves, query)
  const advice =
    measure === undefined
      ? 'declare joins or a bridge table that connect them, or query them separately'
      : `add a measure that connects them, such as '${measure}'`
  return fail('NO_JOIN_PATH', `no data object reaches ${names}, so their combinations are not known; ${advice}`, {
    path: 'select.dimensions',
  })
}

function isUnbounded(node: string, { model }: JoinGraph): boolean {
  const generated = model.dataObjects.get(node)?.calendar?.generated
  return generated !== undefined && (generated.from === undefined || generated.to === undefined)
}

/** A measure by which all these fields can be grouped: from its rows, each is reached directly or through a bridge. */
function connectingMeasure(leaves: readonly FieldLeaf[], { graph }: Pick<DimensionQuery, 'graph'>): string | undefined {
  const isBase = (base: string): boolean => leaves.every(({ members }) => members.some((m) => isLocated(base, m, graph)))
  const shown = [...graph.model.measures.values()].filter((measure) => isOffered(measure) && !isHiddenName(measure.name))
  return shown.find((measure) => {
    const [base, ...others] = measure.rowCountOf === undefined ? readObjects(measure) : [measure.rowCountOf]
    return base !== undefined && others.length === 0 && isBase(base)
  })?.name
}

const refuseUnreached = ({ label, path, members }: ResolvedDimension, rowsOf: string): never =>
  fail('NO_JOIN_PATH', `'${rowsOf}' does not reach '${label}' on '${members[0].object}', so its rows have no value of it`, {
    path,
    hint: 'Name an object that reaches every selected dimension in rows_of, or leave rows_of out.',
  })
