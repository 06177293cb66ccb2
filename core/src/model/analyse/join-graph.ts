import { reachable } from '../graph.js'
import type { Join } from '../semantic-model.js'

/** Where joins lead: many-to-one forward, one-to-one both ways. */
export interface ForwardGraph {
  readonly forward: (object: string) => readonly string[]
  readonly backward: (object: string) => readonly string[]
}

/** `secondary` joins count only when asked for: they are walked only when pinned. */
export function forwardGraph(joins: Iterable<Join>, secondary: boolean): ForwardGraph {
  const forward = new Map<string, string[]>()
  const backward = new Map<string, string[]>()
  const link = (from: string, to: string): void => {
    put(forward, from, to)
    put(backward, to, from)
  }
  for (const join of joins) {
    if ((join.secondary && !secondary) || join.cardinality === 'many-to-many') continue
    link(join.from, join.to)
    if (join.cardinality === 'one-to-one') link(join.to, join.from)
  }
  return { forward: (object) => forward.get(object) ?? [], backward: (object) => backward.get(object) ?? [] }
}

function put(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** An object from which `target` is reached along several paths of which none is its own join, with the ways that lead there. */
export function ambiguousStart(
  target: string,
  graph: ForwardGraph,
): { readonly start: string; readonly ways: readonly string[] } | undefined {
  const reaching = reachable(target, graph.backward)
  for (const start of reaching) {
    if (start === target) continue
    const next = graph.forward(start)
    const direct = next.filter((name) => name === target).length
    if (direct > 1) return { start, ways: [target, target] }
    if (direct === 1) continue
    const ways = [...new Set(next)].filter((name) => reaching.has(name))
    if (ways.length < 2) continue
    const open = ways.filter((name) => reachable(name, graph.forward, start).has(target))
    if (open.length > 1) return { start, ways: open }
  }
  return undefined
}
