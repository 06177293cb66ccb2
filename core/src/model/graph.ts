import { lastOf } from '../invariant.js'
/** Traversals of directed graphs of names, without recursion: the chains in a document may be of any length. */

export interface Sorted {
  /** The nodes in order: the target of an edge comes before its source. */
  readonly order: readonly string[]
  /** Each cycle once, as the names along it. */
  readonly cycles: readonly (readonly string[])[]
}

/** Yields between nodes, so that a caller may pause. */
export function* sortGraph(
  nodes: Iterable<string>,
  targetsOf: (node: string) => readonly string[],
): Generator<undefined, Sorted> {
  const state = new Map<string, 'open' | 'done'>()
  const order: string[] = []
  const cycles: string[][] = []
  for (const root of nodes) {
    if (state.has(root)) continue
    const stack: { readonly node: string; readonly targets: readonly string[]; next: number }[] = []
    const open = (node: string): void => {
      state.set(node, 'open')
      stack.push({ node, targets: targetsOf(node), next: 0 })
    }
    open(root)
    while (stack.length > 0) {
      yield
      const top = lastOf(stack)
      const target = top.targets[top.next++]
      if (target === undefined) {
        state.set(top.node, 'done')
        order.push(top.node)
        stack.pop()
      } else if (!state.has(target)) open(target)
      else if (state.get(target) === 'open')
        cycles.push(stack.slice(stack.findIndex((s) => s.node === target)).map((s) => s.node))
    }
  }
  return { order, cycles }
}

/** Everything that is reachable from `start`, itself included. */
export function reachable(start: string, targetsOf: (node: string) => Iterable<string>, without?: string): Set<string> {
  const seen = new Set([start])
  const queue = [start]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const target of targetsOf(node)) {
      if (seen.has(target) || target === without) continue
      seen.add(target)
      queue.push(target)
    }
  }
  return seen
}
