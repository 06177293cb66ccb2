/** A query that is parsed already, compiled as `compileOnDuckdb` compiles one. */
import { compile } from '../../core/src/compile.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import type { QueryObject } from '../../core/src/query/query-object.js'
import type { CompiledQuery } from '../../core/src/sql/compiled-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'

export function compileQueryOnDuckdb(query: QueryObject, model: SemanticModel): CompiledQuery {
  const now = new Date('2025-06-15T12:00:00Z')
  return compile(query, model, { dialect: duckdb, functions: builtInFunctions, aggregates: builtInAggregates, now })
}
