import { JoinGraph, type Pin } from './join-graph.js'

/** Trying a pin builds a graph; a model with more named joins is told about none. */
const MOST_TRIED = 64

/** What a refusal of a join may suggest: the named paths of which one, pinned, would do. Empty where none helps. */
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
