/** Model file and question to SQL for DuckDB, as the service makes it. */
import { readFileSync } from 'node:fs'
import { compile } from '../../core/src/compile.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import type { QueryObject } from '../../core/src/query/query-object.js'
import type { CompiledQuery } from '../../core/src/sql/compiled-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'

/** The clock of the tests: relative filters mean the same on any day. */
const NOW = new Date('2025-06-15T12:00:00Z')

/** The model of a YAML text. Throws with every finding when it has errors. */
export function loadText(text: string): SemanticModel {
  const { model, errors } = parseModelSync({ text })
  if (!model) throw new Error(errors.map(({ code, message, path }) => `${path}: ${message} (${code})`).join('\n'))
  return model
}

export const readModel = (file: string): SemanticModel => loadText(readFileSync(file, 'utf8'))

/** The query as a client sends it, compiled. Throws `GrainlineError`. */
export const compileOnDuckdb = (query: unknown, model: SemanticModel): CompiledQuery =>
  compileParsedOnDuckdb(parseQuery(query), model)

export const compileParsedOnDuckdb = (query: QueryObject, model: SemanticModel): CompiledQuery =>
  compile(query, model, { dialect: duckdb, functions: builtInFunctions, aggregates: builtInAggregates, now: NOW })
