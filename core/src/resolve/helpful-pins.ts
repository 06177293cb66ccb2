import { fail } from '../errors.js'
import { JoinGraph, type PathResult, type Pin } from './join-graph.js'

/** Trying a pin builds a graph, so a model with more named joins than this gets no suggestion. */
const MOST_TRIED = 64

/** The hint of a missing path: the named paths that make the query valid if one of them is pinned. Empty if none helps. */
export function pinHint(graph: JoinGraph, helps: (pinned: JoinGraph) => boolean): { readonly hint?: string } {
  const found = helpfulPins(graph, helps).map(({ source, target, pathName }) => `'${pathName}' from '${source}' to '${target}'`)
  return found.length === 0 ? {} : { hint: `pin ${found.slice(0, 3).join(', or ')} with use_path_names` }
}

function helpfulPins(graph: JoinGraph, helps: (pinned: JoinGraph) => boolean): Pin[] {
  const { model, pins } = graph
  const named = [...model.dataObjects.values()].flatMap(({ joins }) =>
    joins.flatMap(({ from, to, pathName }) =>
      pathName === undefined || from === to ? [] : [{ source: from, target: to, pathName, path: '' }],
    ),
  )
  const free = named.filter((pin) => !pins.some((p) => p.source === pin.source && p.target === pin.target))
  return free.length > MOST_TRIED ? [] : free.filter((pin) => helps(new JoinGraph(model, [...pins, pin])))
}

/** Refuses a path of which there are several, with their names and how to pin one. */
export function ambiguousJoin(
  object: string,
  { at, through }: PathResult & { readonly kind: 'ambiguous' },
  graph: JoinGraph,
  path = '',
): never {
  const ways = [...new Set(through)]
  const named = ways.map((way) => `'${way}'`).join(' or ')
  return fail(
    'AMBIGUOUS_JOIN',
    `'${object}' is reached from '${at}' through ${named}; choose a path with use_path_names, or give the dimension a via`,
    { path, suggestions: ways, ...pinHint(graph, (pinned) => pinned.path(at, object).kind === 'path') },
  )
}
