import { isHiddenName } from '../hidden-name.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { joinGraph } from './join-graph.js'

/** The columns that a row of an object has, those of the objects that it joins included, as `Object.Column`: its own first, then in the order of the model. */
export function columnsReached(model: SemanticModel, object: string): readonly string[] {
  const reached = joinGraph(model, []).reach(object)
  const objects = [...model.dataObjects.values()].filter(({ name }) => reached.has(name))
  const ownFirst = objects.toSorted((a, b) => Number(b.name === object) - Number(a.name === object))
  return ownFirst.flatMap(({ name, columns }) =>
    [...columns.keys()].flatMap((column) => (isHiddenName(column) ? [] : [`${name}.${column}`])),
  )
}
