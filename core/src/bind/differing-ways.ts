import { type Finding, warning } from '../errors.js'
import type { JoinGraph } from '../resolve/join-graph.js'
import type { AggregateQuery, FieldSource, ResolvedDimension } from '../resolve/resolved-query.js'

/**
 * Warns if two aggregates of one answer read a dimension by paths that disagree: the base of one is on a path of the other that
 * was not taken. An example is customers by their own country next to orders by the country that they were shipped to.
 */
export function differingWays(query: AggregateQuery): Finding[] {
  const { graph } = query
  if (new Set(query.aggregates.map((a) => a.base)).size < 2) return []
  const shown = dimensionsOfBases(query)
  return query.dimensions.flatMap((dimension) => {
    const bases = [...shown].flatMap(([base, names]) => (names.has(dimension.name) ? [base] : []))
    return bases.flatMap((base) =>
      bases.flatMap((other) => dimension.members.flatMap((m) => differing({ dimension, member: m }, base, other, graph) ?? [])),
    )
  })
}

/** The names of the grouping dimensions for the aggregates of each base. */
function dimensionsOfBases({ aggregates }: AggregateQuery): ReadonlyMap<string, ReadonlySet<string>> {
  const bases = new Map<string, Set<string>>()
  for (const { base, dimensions } of aggregates) {
    const names = bases.get(base) ?? new Set()
    for (const { name } of dimensions) names.add(name)
    bases.set(base, names)
  }
  return bases
}

function differing(
  { dimension, member: { object, via } }: { readonly dimension: ResolvedDimension; readonly member: FieldSource },
  base: string,
  other: string,
  graph: JoinGraph,
): Finding | undefined {
  if (base === other || !graph.reachesAvoiding(base, other, new Set([object]))) return undefined
  const [way, theirs] = [wayTo(base, object, via, graph), wayTo(other, object, via, graph)]
  if (!way || !theirs || way.includes(other) || theirs.includes(base)) return undefined
  const message = `In this query '${dimension.label}' means two things: for '${base}' it is read by ${words(way)}, and for '${other}' by ${words(theirs)}`
  return warning('DIMENSION_READ_DIFFERENTLY', message, {
    path: dimension.path,
    context: { dimension: dimension.label, ways: [way.join(' → '), theirs.join(' → ')] },
  })
}

const words = (way: readonly string[]): string => way.map((o) => `'${o}'`).join(' → ')

/** The objects on the path; `undefined` if the base does not reach the field itself. */
function wayTo(base: string, object: string, via: string | undefined, graph: JoinGraph): readonly string[] | undefined {
  if (!graph.reaches(base, object, via)) return undefined
  const path = graph.path(base, object, via)
  return path.kind === 'path' ? [base, ...path.edges.map((e) => e.to)] : undefined
}
