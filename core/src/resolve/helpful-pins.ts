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

/** What is read by a path of which there are several. */
interface Several {
  readonly object: string
  readonly found: PathResult & { readonly kind: 'ambiguous' }
  /** The name of a dimension, or `Object.Column`. */
  readonly name?: string | undefined
  readonly path?: string
  /** It is read by a filter of the query. */
  readonly filters?: boolean
}

/** Refuses a path of which there are several, with their names and how to choose one. */
export function ambiguousJoin({ object, found, name, path = '', filters = false }: Several, graph: JoinGraph): never {
  const { at, through } = found
  const ways = [...new Set(through)]
  const named = ways.map((way) => `'${way}'`).join(' or ')
  const hint = pinHint(graph, (pinned) => choosesWay(pinned, graph) && pinned.path(at, object).kind === 'path')
  const second = `let it read a second data object, declared on the table of '${object}' for one of the paths`
  const choice = chosenByVia(name, ways, graph) ?? (filters ? filteredByVia(name, ways) : second)
  const advice = hint.hint === undefined ? choice : `choose a path with use_path_names, or ${choice}`
  return fail('AMBIGUOUS_JOIN', `'${object}' is reached from '${at}' through ${named}; ${advice}`, {
    path,
    suggestions: ways,
    ...hint,
  })
}

/** Only dimensions have a `via`. */
export const chosenByVia = (name: string | undefined, ways: readonly string[], { model }: JoinGraph): string | undefined =>
  name !== undefined && model.dimensions.has(name) ? `give the dimension '${name}' a via, such as via: ${ways[0]}` : undefined

export const filteredByVia = (name = 'it', ways: readonly string[]): string =>
  `filter the query by a dimension on '${name}' with a via, such as via: ${ways[0]}`

/** Whether the last pin is a join that is already used: a secondary one would add a path with another meaning. */
export function choosesWay({ pins }: JoinGraph, { joins }: JoinGraph): boolean {
  const pin = pins.at(-1)
  return joins.some(({ from, to, pathName }) => from === pin?.source && to === pin.target && pathName === pin.pathName)
}
