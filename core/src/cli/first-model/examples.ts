import { forwardGraph } from '../../model/analyse/join-graph.js'
import type { ColumnRef } from '../../model/expression/ast.js'
import { leavesOf } from '../../model/expression/ast.js'
import { reachable } from '../../model/graph.js'
import { parseModelSync } from '../../model/load-model.js'
import type { Dimension, Measure, SemanticModel } from '../../model/semantic-model.js'
import type { Catalogue } from '../../service/catalogue.js'
import type { FirstModel } from './first-model.js'

/** The model with up to three questions that it answers: an amount over time, an amount by what its rows refer to, and a count. */
export function withExamples(first: FirstModel, catalogue: Catalogue): FirstModel {
  const { model } = parseModelSync({ json: first.document, ...catalogue })
  const examples = model === undefined ? [] : examplesOf(model)
  return examples.length === 0 ? first : { ...first, document: { ...first.document, examples } }
}

function examplesOf(model: SemanticModel): readonly object[] {
  const joins = [...model.dataObjects.values()].flatMap((object) => object.joins)
  const { forward } = forwardGraph(joins, false)
  const bases = [...model.dataObjects.keys()].map((object) => ({ object, reached: reachable(object, forward) }))
  const measures = [...model.measures.values()]
  const shown = [...model.dimensions.values()].filter(({ hidden }) => !hidden)
  // The fact that reaches the most objects has the most to show.
  const ranked = bases.toSorted((a, b) => b.reached.size - a.reached.size)
  const adding = ranked.filter(({ object }) => sumOf(measures, object))
  const hasTime = ({ object, reached }: (typeof ranked)[number]) =>
    shown.some(({ timeGrain, dataObject }) => timeGrain === 'month' && (dataObject === object || reached.has(dataObject)))
  const main = adding.find(hasTime) ?? adding[0] ?? ranked[0]
  if (main === undefined) return []
  const near = (dimension: Dimension) => main.object === dimension.dataObject || main.reached.has(dimension.dataObject)
  const distances = distancesFrom(main.object, forward)
  const [month] = shown
    .filter((dimension) => dimension.timeGrain === 'month' && near(dimension))
    .toSorted((a, b) => (distances.get(a.dataObject) ?? 0) - (distances.get(b.dataObject) ?? 0))
  const others = shown.filter(
    (dimension) => near(dimension) && dimension.timeGrain === undefined && dimension.type.kind === 'string',
  )
  const groups = others.filter((dimension) => dimension.dataObject !== main.object && !isPersonal(dimension))
  const [group = others[0], second = others[1]] = groups
  const amount = sumOf(measures, main.object)
  const count = measures.find(({ rowCountOf }) => rowCountOf === main.object)
  const first = amount ?? count
  return [
    ...exampleOf(first, month, 'time'),
    ...exampleOf(first, group, 'group'),
    ...exampleOf(amount === undefined ? undefined : count, second ?? group, 'count'),
  ]
}

/** How many joins away each object is. */
function distancesFrom(start: string, forward: (object: string) => readonly string[]): ReadonlyMap<string, number> {
  const distances = new Map([[start, 0]])
  // A map is read to its end, with what is added meanwhile.
  for (const [object, distance] of distances)
    for (const next of forward(object)) if (!distances.has(next)) distances.set(next, distance + 1)
  return distances
}

/** A part of the name of a person is no group that people ask for first. */
const isPersonal = ({ name }: Dimension): boolean => /\b(first|last|middle|user) name$/i.test(name)

const sumOf = (measures: readonly Measure[], object: string): Measure | undefined =>
  measures.findLast(
    ({ aggregation, inputs }) =>
      aggregation === 'sum' && inputs.flatMap((input) => leavesOf<ColumnRef>(input)).every((leaf) => leaf.object === object),
  )

function exampleOf(measure: Measure | undefined, dimension: Dimension | undefined, tag: string): readonly object[] {
  if (measure === undefined || dimension === undefined) return []
  const order = tag === 'time' ? { field: dimension.name } : { field: measure.name, direction: 'desc' }
  const query = { select: { dimensions: [dimension.name], measures: [measure.name] }, order_by: [order] }
  return [{ name: `${measure.name} by ${dimension.name}`, intent_tags: [tag], query }]
}
