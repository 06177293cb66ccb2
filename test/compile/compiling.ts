/** Questions to a compiler without a service: what they become, and how they are refused. */

import { compile } from '../../core/src/compile.js'
import { GrainlineError } from '../../core/src/errors.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import type { CompiledQuery } from '../../core/src/sql/compiled-query.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'

export const NOW = new Date('2025-06-15T12:00:00Z')

export function compileFor(query: unknown, model: SemanticModel, dialect: Dialect = duckdb, now = NOW): CompiledQuery {
  return compile(parseQuery(query), model, { dialect, functions: builtInFunctions, aggregates: builtInAggregates, now })
}

/** The refusal of a query. Throws when it is not refused. */
export function refusalOf(query: unknown, model: SemanticModel, dialect?: Dialect): GrainlineError {
  try {
    compileFor(query, model, dialect)
  } catch (error) {
    if (error instanceof GrainlineError) return error
    throw error
  }
  throw new Error(`not refused: ${JSON.stringify(query)}`)
}
