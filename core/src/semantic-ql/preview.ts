/** What `SELECT *` shows of a model. */

import type { SemanticModel } from '../model/semantic-model.js'
import { planQuery } from '../plan/plan-query.js'
import { parseQuery } from '../query/parse-query.js'
import { joinGraph } from '../resolve/join-graph.js'
import { resolveQuery } from '../resolve/resolve-query.js'
import { withInternalFunctions } from '../sql/internal-functions.js'
import { attempt } from './attempt.js'
import { mainFactOf } from './main-fact.js'
import type { Catalogue } from './reader.js'

export interface Preview {
  readonly dimensions: readonly string[]
  readonly measures: readonly string[]
}

const known = new WeakMap<SemanticModel, Preview>()

/** The dimensions and measures that compose with the model's main fact. */
export function previewOf(model: SemanticModel, catalogue: Catalogue): Preview {
  const found = known.get(model) ?? composing(model, catalogue)
  known.set(model, found)
  return found
}

function composing(model: SemanticModel, catalogue: Catalogue): Preview {
  const shown = [...model.dimensions.values()].filter((d) => !d.hidden)
  const fact = mainFactOf(model)
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
  const graph = joinGraph(model, [])
  const dimensions = shown.filter((d) => graph.reaches(fact.object, d.dataObject, d.via)).map((d) => d.name)
  const fitting = fact.measures.filter((name) => answers({ dimensions: [], measures: [name] }, model, catalogue))
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
