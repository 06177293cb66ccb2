/** Names of dimensions and metrics in the model: their own, or with the table where several have it. */
import type { Draft } from '../draft.js'
import type { Item, View } from './view.js'

export interface FieldNames {
  readonly of: (item: Item) => string
}

export function namesOf(view: View, draft: Draft): FieldNames {
  const counts = new Map<string, number>()
  const count = (item: Item) => counts.set(item.key, (counts.get(item.key) ?? 0) + 1)
  for (const { dimensions, times, metrics } of view.tables) for (const item of [...dimensions, ...times, ...metrics]) count(item)
  for (const metric of view.metrics) count(metric)
  const names = new Map<Item, string>()
  for (const { name, dimensions, times, metrics } of view.tables)
    for (const item of [...dimensions, ...times, ...metrics]) {
      if ((counts.get(item.key) ?? 0) < 2) continue
      names.set(item, `${name}.${item.name}`)
      draft.lose(
        'rewritten',
        `'${item.name}' of '${name}' is '${name}.${item.name}': other items have the same name.`,
        item.place,
      )
    }
  return { of: (item) => names.get(item) ?? item.name }
}
