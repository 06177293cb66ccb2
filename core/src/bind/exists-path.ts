import { fail } from '../errors.js'
import type { Join } from '../model/semantic-model.js'
import { type Hop, severalWays, shortestWays } from '../model/shortest-ways.js'
import type { JoinGraph } from '../resolve/join-graph.js'
import type { ExistsLeaf } from '../resolve/resolved-query.js'

/** The unique shortest path from subject to target in any direction. Throws `AMBIGUOUS_JOIN`, `NO_JOIN_PATH`, `UNKNOWN_PATH_NAME`. */
export function existsPath(graph: JoinGraph, subject: string, { target, pathName, path }: ExistsLeaf): readonly Hop[] {
  const joins = walkedJoins(graph, pathName)
  if (pathName !== undefined && !joins.some((join) => join.pathName === pathName)) {
    fail('UNKNOWN_PATH_NAME', `no join of this model is named '${pathName}'`, { path: `${path}.subquery.pathName` })
  }
  const ways = shortestWays(subject, target, { joins, pathName })
  const [way, ...others] = ways
  if (!way) return fail('NO_JOIN_PATH', `'${subject}' and '${target}' are not connected by joins`, { path })
  if (others.length === 0) return way
  const several = severalWays(ways, 'subquery.path_name')
  return fail('AMBIGUOUS_JOIN', `'${subject}' connects with '${target}' in several equally short ways, ${several}`, { path })
}

/** The joins that the graph walks, and those with the name. */
function walkedJoins(graph: JoinGraph, pathName: string | undefined): readonly Join[] {
  if (pathName === undefined) return [...graph.joins]
  const named = [...graph.model.dataObjects.values()].flatMap(({ joins }) => joins.filter((join) => join.pathName === pathName))
  return [...new Set<Join>([...graph.joins, ...named])]
}
