/** The tree with some nodes replaced. Unchanged nodes are shared. */
import type { Node } from './node.js'

/** `change` returns the replacement of a node, which is not visited again; `undefined` keeps the node. `into` says whether a node is entered. */
export function rewritten<T>(root: T, change: (node: Node) => Node | undefined, into: (node: Node) => boolean = () => true): T {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return changedItems(value, walk)
    if (typeof value !== 'object' || value === null) return value
    const node = value as Node
    return change(node) ?? (into(node) ? changedFields(value as Readonly<Record<string, unknown>>, walk) : value)
  }
  return walk(root) as T
}

function changedItems(items: readonly unknown[], walk: (value: unknown) => unknown): readonly unknown[] {
  const changed = items.map(walk)
  return changed.some((each, i) => each !== items[i]) ? changed : items
}

function changedFields(fields: Readonly<Record<string, unknown>>, walk: (value: unknown) => unknown): unknown {
  let changed: Record<string, unknown> | undefined
  for (const key in fields) {
    const value = walk(fields[key])
    if (value === fields[key]) continue
    changed ??= { ...fields }
    changed[key] = value
  }
  return changed ?? fields
}
