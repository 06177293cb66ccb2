import { GrainlineError } from '../errors.js'
import type { Measure, SemanticModel } from '../model/semantic-model.js'
import { baseOf } from '../resolve/base-of.js'
import { type JoinGraph, joinGraph } from '../resolve/join-graph.js'

/** The data objects of a model at which measures are counted. */
export interface Facts {
  /** The object whose rows the model represents. `undefined` if several objects have the most measures, and the model does not choose one. */
  readonly main: string | undefined
  /** Those with measures besides the count of their rows, including the main one. */
  readonly all: readonly string[]
  /** The objects with equally many measures, if there is no single main one. */
  readonly tied: readonly string[]
}

const known = new WeakMap<SemanticModel, Facts>()

/** Computed once per model. */
export function factsOf(model: SemanticModel): Facts {
  const facts = known.get(model) ?? find(model)
  known.set(model, facts)
  return facts
}

function find(model: SemanticModel): Facts {
  const graph = joinGraph(model, [])
  const counted = new Map<string, number>()
  const declared = new Set<string>()
  for (const measure of model.measures.values()) {
    const base = baseOrNone(measure, graph)
    if (base === undefined) continue
    counted.set(base, (counted.get(base) ?? 0) + 1)
    if (measure.rowCountOf === undefined) declared.add(base)
  }
  const most = Math.max(0, ...counted.values())
  const tied = [...counted].filter(([, count]) => count === most).map(([object]) => object)
  const main = model.settings.mainFact ?? (tied.length === 1 ? tied[0] : undefined)
  return { main, tied, all: [...new Set([...(main === undefined ? [] : [main]), ...declared])] }
}

/** The measures that are counted at the rows of an object. */
export function measuresAt(model: SemanticModel, object: string): readonly string[] {
  const graph = joinGraph(model, [])
  return [...model.measures.values()].filter((measure) => baseOrNone(measure, graph) === object).map(({ name }) => name)
}

/** A measure whose object is ambiguous is not counted. */
function baseOrNone(measure: Measure, graph: JoinGraph): string | undefined {
  try {
    return baseOf(measure, graph, '')
  } catch (error) {
    if (error instanceof GrainlineError) return undefined
    throw error
  }
}
