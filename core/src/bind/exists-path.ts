import { fail } from '../errors.js'
import { type Term, turned } from '../model/join-term.js'
import type { Join } from '../model/semantic-model.js'
import type { JoinGraph } from '../resolve/join-graph.js'
import type { ExistsLeaf } from '../resolve/resolved-query.js'

/** One undirected step of an `exists` path: `from` is the side nearer to the subject. */
export interface Hop {
  readonly from: string
  readonly to: string
  readonly on: readonly Term<string>[]
}

/** The unique shortest path from subject to target in any direction. Throws `AMBIGUOUS_JOIN`, `NO_JOIN_PATH`, `UNKNOWN_PATH_NAME`. */
export function existsPath(graph: JoinGraph, subject: string, { target, pathName, path }: ExistsLeaf): readonly Hop[] {
  const steps = hops(graph, pathName)
  const named = (hop: NamedHop): boolean => pathName === undefined || hop.pathName === pathName
  if (pathName !== undefined && ![...steps.values()].flat().some(named)) {
    fail('UNKNOWN_PATH_NAME', `no join of this model is named '${pathName}'`, { path: `${path}.subquery.pathName` })
  }
  if (subject === target && pathName === undefined) return []
  let trails: { readonly at: string; readonly hops: readonly NamedHop[]; readonly pinned: boolean }[] = [
    { at: subject, hops: [], pinned: pathName === undefined },
  ]
  const seen = new Set<string>()
  while (trails.length > 0) {
    for (const t of trails) seen.add(`${t.at}\u0000${t.pinned}`)
    const found = trails.filter((t) => t.at === target && t.pinned && t.hops.length > 0)
    if (found.length > 1) {
      fail(
        'AMBIGUOUS_JOIN',
        `'${subject}' connects with '${target}' in several equally short ways, ${severalWays(found.map((trail) => trail.hops))}`,
        { path },
      )
    }
    if (found.length === 1) return found[0]!.hops
    trails = trails
      .flatMap((t) =>
        (steps.get(t.at) ?? []).map((hop) => ({ at: hop.to, hops: [...t.hops, hop], pinned: t.pinned || named(hop) })),
      )
      .filter((t) => !seen.has(`${t.at}\u0000${t.pinned}`))
      .slice(0, 4096)
  }
  return fail('NO_JOIN_PATH', `'${subject}' and '${target}' are not connected by joins`, { path })
}

interface NamedHop extends Hop {
  readonly pathName: string | undefined
}

function hops(graph: JoinGraph, pathName: string | undefined): Map<string, NamedHop[]> {
  const joins = new Set<Join>(graph.joins)
  if (pathName !== undefined) {
    for (const object of graph.model.dataObjects.values()) for (const j of object.joins) if (j.pathName === pathName) joins.add(j)
  }
  const steps = new Map<string, NamedHop[]>()
  const add = (hop: NamedHop): void => void steps.set(hop.from, [...(steps.get(hop.from) ?? []), hop])
  for (const { from, to, on, pathName: name } of joins) {
    add({ from, to, on, pathName: name })
    add({ from: to, to: from, on: turned(on), pathName: name })
  }
  return steps
}

/** The ways and how to choose one: by a name that only one of them has, if there is any. */
function severalWays(trails: readonly (readonly NamedHop[])[]): string {
  const through = trails.map((trail) => {
    const between = trail.slice(0, -1).map(({ to }) => `'${to}'`)
    return between.length === 0 ? 'directly' : `through ${between.join(' and ')}`
  })
  const names = trails.flatMap((trail) => [...new Set(trail.map(({ pathName }) => pathName))])
  const own = names
    .filter((name) => name !== undefined && names.indexOf(name) === names.lastIndexOf(name))
    .map((name) => `'${name}'`)
  const pin =
    own.length > 0
      ? `choose one with subquery.path_name: ${own.join(' or ')}`
      : 'give a join of the one you mean a pathName, and choose it with subquery.path_name'
  return `${[...new Set(through)].join(', or ')}; ${pin}`
}
