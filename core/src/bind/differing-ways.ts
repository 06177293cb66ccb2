import { type Finding, warning } from '../errors.js'
import type { JoinGraph } from '../resolve/join-graph.js'
import type { AggregateQuery, FieldSource, ResolvedDimension } from '../resolve/resolved-query.js'

/**
 * Warns where two aggregates of one answer read a dimension along ways that disagree: the home of one lies on a way of the other that
 * was not taken, as customers by their own country do beside orders by the country they were shipped to.
 */
export function differingWays(query: AggregateQuery): Finding[] {
  const { graph } = query
  const shown = dimensionsOfHomes(query)
  if (shown.size < 2) return []
  return query.dimensions.flatMap((dimension) => {
    const homes = [...shown].flatMap(([home, names]) => (names.has(dimension.name) ? [home] : []))
    return homes.flatMap((home) =>
      homes.flatMap((other) => dimension.members.flatMap((m) => differing({ dimension, member: m }, home, other, graph) ?? [])),
    )
  })
}

/** The names of the dimensions that the aggregates of each home are grouped by. */
function dimensionsOfHomes({ atoms }: AggregateQuery): ReadonlyMap<string, ReadonlySet<string>> {
  const homes = new Map<string, Set<string>>()
  for (const { home, dimensions } of atoms) {
    const names = homes.get(home) ?? new Set()
    for (const { name } of dimensions) names.add(name)
    homes.set(home, names)
  }
  return homes
}

function differing(
  { dimension, member: { object, via } }: { readonly dimension: ResolvedDimension; readonly member: FieldSource },
  home: string,
  other: string,
  graph: JoinGraph,
): Finding | undefined {
  if (home === other || !graph.reachesAvoiding(home, other, new Set([object]))) return undefined
  const [way, theirs] = [wayTo(home, object, via, graph), wayTo(other, object, via, graph)]
  if (!way || !theirs || way.includes(other) || theirs.includes(home)) return undefined
  const told = `'${dimension.label}' is read from '${home}' by ${words(way)} and from '${other}' by ${words(theirs)}, so one value of it means two things here`
  return warning('DIMENSION_READ_DIFFERENTLY', told, {
    path: dimension.path,
    context: { dimension: dimension.label, ways: [way.join(' → '), theirs.join(' → ')] },
  })
}

const words = (way: readonly string[]): string => way.map((o) => `'${o}'`).join(' → ')

/** The objects on the way; `undefined` where home does not reach the field itself. */
function wayTo(home: string, object: string, via: string | undefined, graph: JoinGraph): readonly string[] | undefined {
  if (!graph.reaches(home, object, via)) return undefined
  const path = graph.path(home, object, via)
  return path.kind === 'path' ? [home, ...path.edges.map((e) => e.to)] : undefined
}
