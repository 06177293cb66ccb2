import { fail } from '../errors.js'
import { pinHint } from '../resolve/helpful-pins.js'
import type { JoinGraph, PathResult } from '../resolve/join-graph.js'

/** Refuses a join that could go several ways, naming them and how to pin one. */
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
    `'${object}' is reached from '${at}' through ${named}; pin the way with use_path_names, or give the dimension a via`,
    { path, suggestions: ways, ...pinHint(graph, (pinned) => pinned.path(at, object).kind === 'path') },
  )
}
