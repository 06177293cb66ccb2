import { equalityOf } from '../model/join-term.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { Edge } from '../resolve/join-graph.js'
import { objectOf } from '../resolve/resolved-query.js'

/**
 * The column on the left side of a join that equals `name` in each row, and is NULL where there is no match; `undefined` if there is
 * none. The join must be a foreign key: a row without a NULL in its columns has a match. Of several columns, the others must be
 * known not to be NULL, because a NULL in one of them leaves a row without a match, whatever the rest are.
 */
export function referringColumn(edge: Edge, model: SemanticModel, name: string): string | undefined {
  const equal = edge.foreignKey ? equalityOf(edge.on) : undefined
  const own = equal?.find(({ to }) => to === name)
  if (!equal || !own) return undefined
  const { key } = objectOf(model, edge.from)
  return equal.every((one) => one === own || key.includes(one.from)) ? own.from : undefined
}

/** Whether every row has a match: the join is a foreign key, and its columns are part of a key, and so not NULL. */
export function alwaysMatches({ from, on, foreignKey }: Edge, model: SemanticModel): boolean {
  const equal = foreignKey ? equalityOf(on) : undefined
  return equal?.every((one) => objectOf(model, from).key.includes(one.from)) ?? false
}
