/** Facts and dimensions that read columns of a table to which no relationship leads from theirs: no query could answer them. */
import type { ModelObject, Objects } from './objects.js'
import type { Item, View } from './view.js'

/** Why each of them cannot be read. */
export function unreached({ all }: Objects): ReadonlyMap<Item, string> {
  const odd = new Map<Item, string>()
  for (const object of all.values()) {
    if (object.reads.size === 0) continue
    const reached = reachedFrom(object, all)
    for (const [item, others] of object.reads) {
      const other = [...others].find(({ name }) => !reached.has(name))
      if (other)
        odd.set(item, `no relationship leads from '${object.name}' to one row of '${other.name}', so an aggregate is needed`)
    }
  }
  return odd
}

/** The same view, in which these items cannot be read. */
export function without(odd: ReadonlyMap<Item, string>, view: View): View {
  const marked = (items: readonly Item[]) => items.map((item) => ({ ...item, odd: item.odd ?? odd.get(item) }))
  const tables = view.tables.map((table) => ({
    ...table,
    ...{ facts: marked(table.facts), dimensions: marked(table.dimensions), times: marked(table.times) },
  }))
  return { ...view, tables }
}

/** The names of the objects of which each row of this one has at most one. */
function reachedFrom(start: ModelObject, all: Objects['all']): ReadonlySet<string> {
  const steps = new Map<string, string[]>()
  const step = (from: string, to: string) => steps.set(from, [...(steps.get(from) ?? []), to])
  for (const { name, entry } of all.values())
    for (const { joinTo, joinType } of (entry['joins'] ?? []) as readonly { joinTo: string; joinType: string }[]) {
      step(name, joinTo)
      if (joinType !== 'many-to-one') step(joinTo, name)
    }
  const reached = new Set([start.name])
  for (const name of reached) for (const next of steps.get(name) ?? []) reached.add(next)
  return reached
}
