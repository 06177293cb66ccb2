import { bindQuery } from '../bind/bind-query.js'
import { GrainlineError } from '../errors.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { parseQuery } from '../query/parse-query.js'
import { resolveQuery } from '../resolve/resolve-query.js'
import { withInternalFunctions } from '../sql/internal-functions.js'
import type { FieldCatalogues } from './model-columns.js'

/** Whether a query can select the measure or metric with the dimensions. */
export function combines(
  { dimensions, measure }: { readonly dimensions: readonly string[]; readonly measure: string },
  model: SemanticModel,
  { aggregates, functions: loaded }: FieldCatalogues,
): boolean {
  const functions = withInternalFunctions(loaded)
  try {
    const query = parseQuery({ select: { dimensions, measures: [measure] } })
    bindQuery(resolveQuery(query, model, { functions, aggregates, now: new Date(0), defaultLimit: undefined }), {
      functions,
      aggregates,
    })
    return true
  } catch (error) {
    if (error instanceof GrainlineError) return false
    throw error
  }
}
