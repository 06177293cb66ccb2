/** The object that a model is about: the one that most of its measures count. */
import type { Measure, SemanticModel } from '../model/semantic-model.js'
import { homeOf } from '../resolve/homes.js'
import { type JoinGraph, joinGraph } from '../resolve/join-graph.js'
import { attempt } from './attempt.js'

export interface MainFact {
  readonly object: string
  /** The measures over its rows. */
  readonly measures: readonly string[]
}

const known = new WeakMap<SemanticModel, MainFact | undefined>()

/** `undefined` for a model without measures that have one home. */
export function mainFactOf(model: SemanticModel): MainFact | undefined {
  if (!known.has(model)) known.set(model, find(model))
  return known.get(model)
}

function find(model: SemanticModel): MainFact | undefined {
  const graph = joinGraph(model, [])
  const homes = new Map<string, string[]>()
  for (const measure of model.measures.values()) {
    const home = homeOrNone(measure, graph)
    if (home !== undefined) homes.set(home, [...(homes.get(home) ?? []), measure.name])
  }
  const [first] = [...homes].toSorted(([, a], [, b]) => b.length - a.length)
  return first && { object: first[0], measures: first[1] }
}

/** The measure that counts its rows, all of them and nothing else; `undefined` where the model offers none. */
export function rowCountOf(model: SemanticModel): Measure | undefined {
  const object = mainFactOf(model)?.object
  return [...model.measures.values()].find((measure) => measure.rowCountOf === object && isPlain(measure))
}

/** True for a measure whose value depends on the rows that it is shown for, and on nothing else. */
export const isOfItsRows = ({ total, grain, filterContext, semiAdditive }: Measure): boolean =>
  !total && grain === undefined && filterContext === undefined && semiAdditive === undefined

const isPlain = (measure: Measure): boolean => isOfItsRows(measure) && measure.filters.length === 0

const homeOrNone = (measure: Measure, graph: JoinGraph): string | undefined => attempt(() => homeOf(measure, graph, ''))
