/** What `SELECT *` shows of a model. */

import type { Measure, SemanticModel } from '../model/semantic-model.js'
import { planQuery } from '../plan/plan-query.js'
import { parseQuery } from '../query/parse-query.js'
import { homeOf } from '../resolve/homes.js'
import { type JoinGraph, joinGraph } from '../resolve/join-graph.js'
import { resolveQuery } from '../resolve/resolve-query.js'
import { withInternalFunctions } from '../sql/internal-functions.js'
import { attempt } from './attempt.js'
import type { Catalogue } from './reader.js'

export interface Preview {
  readonly dimensions: readonly string[]
  readonly measures: readonly string[]
}

const known = new WeakMap<SemanticModel, Preview>()

/** The dimensions and measures that compose with the model's main fact, which is the object that most measures count. */
export function previewOf(model: SemanticModel, catalogue: Catalogue): Preview {
  const found = known.get(model) ?? composing(model, catalogue)
  known.set(model, found)
  return found
}

function composing(model: SemanticModel, catalogue: Catalogue): Preview {
  const graph = joinGraph(model, [])
  const homes = new Map<string, string[]>()
  for (const measure of model.measures.values()) {
    const home = homeOrNone(measure, graph)
    if (home !== undefined) homes.set(home, [...(homes.get(home) ?? []), measure.name])
  }
  const shown = [...model.dimensions.values()].filter((d) => !d.hidden)
  const [fact, measures = []] = [...homes].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? []
  if (fact === undefined)
    return {
      dimensions: together(
        shown.map((d) => d.name),
        [],
        model,
        catalogue,
      ),
      measures: [],
    }
  const dimensions = shown.filter((d) => graph.reaches(fact, d.dataObject, d.via)).map((d) => d.name)
  const fitting = measures.filter((name) => answers({ dimensions: [], measures: [name] }, model, catalogue))
  return { dimensions: together(dimensions, fitting, model, catalogue), measures: fitting }
}

/** The dimensions that the measures can all be cut by, at once; found one by one only where not all can. */
function together(
  dimensions: readonly string[],
  measures: readonly string[],
  model: SemanticModel,
  catalogue: Catalogue,
): readonly string[] {
  if (answers({ dimensions, measures }, model, catalogue)) return dimensions
  const kept: string[] = []
  for (const name of dimensions) if (answers({ dimensions: [...kept, name], measures }, model, catalogue)) kept.push(name)
  return kept
}

function answers(select: Preview, model: SemanticModel, { aggregates, ...rest }: Catalogue): boolean {
  const functions = withInternalFunctions(rest.functions)
  const planned = attempt(() => {
    const query = resolveQuery(parseQuery({ select }), model, {
      functions,
      aggregates,
      now: new Date(0),
      defaultLimit: undefined,
    })
    return planQuery(query, { functions, aggregates })
  })
  return planned !== undefined
}

const homeOrNone = (measure: Measure, graph: JoinGraph): string | undefined => attempt(() => homeOf(measure, graph, ''))
