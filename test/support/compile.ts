/** From model file and query to SQL, as the service does it: for DuckDB unless a test names another dialect. */
import { readFileSync } from 'node:fs'
import type { CompileContext } from '../../core/src/compile/compile-context.js'
import { compile, compileThrough } from '../../core/src/compile.js'
import { GrainlineError } from '../../core/src/errors.js'
import { firstOf } from '../../core/src/invariant.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import type { LogicalPlan } from '../../core/src/plan/logical-plan.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import type { QueryObject } from '../../core/src/query/query-object.js'
import type { CompiledQuery } from '../../core/src/sql/compiled-query.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'

/** The clock of the tests, so that relative filters do not depend on the current day. */
export const NOW = new Date('2025-06-15T12:00:00Z')

/** The model of a YAML text. Throws with every finding if it has errors. */
export function loadText(text: string): SemanticModel {
  const { model, errors } = parseModelSync({ text })
  if (!model) throw new Error(errors.map(({ code, message, path }) => `${path}: ${message} (${code})`).join('\n'))
  return model
}

export const readModel = (file: string): SemanticModel => loadText(readFileSync(file, 'utf8'))

/** The query as a client sends it, compiled. Throws `GrainlineError`. */
export const compileFor = (query: unknown, model: SemanticModel, dialect: Dialect = duckdb, now = NOW): CompiledQuery =>
  compileParsed(parseQuery(query), model, dialect, now)

export const compileParsed = (query: QueryObject, model: SemanticModel, dialect: Dialect = duckdb, now = NOW): CompiledQuery =>
  compile(query, model, { ...CONTEXT, dialect, now })

const CONTEXT: CompileContext = {
  dialect: duckdb,
  functions: builtInFunctions,
  aggregates: builtInAggregates,
  now: NOW,
  storedTypes: 'declared',
  checksRules: true,
}

/** The query compiled for DuckDB as a server compiles it: what rules change is not checked. */
export const compileServed = (query: unknown, model: SemanticModel): CompiledQuery =>
  compile(parseQuery(query), model, { ...CONTEXT, checksRules: false })

/** The query compiled for DuckDB without some rules for speed. */
export const compileWithout = (query: unknown, model: SemanticModel, without: Iterable<string>): CompiledQuery =>
  compile(parseQuery(query), model, { ...CONTEXT, without: new Set(without) })

/** The plan of a query before any rule for speed. */
export function canonicalPlan(query: unknown, model: SemanticModel): LogicalPlan {
  const plans: LogicalPlan[] = []
  compileThrough(parseQuery(query), model, CONTEXT, (stage, value) => {
    if (stage === 'plan') plans.push(value as LogicalPlan)
    return value
  })
  return firstOf(plans)
}

/** The error of a query. Throws if it is not refused. */
export function refusalOf(query: unknown, model: SemanticModel, dialect?: Dialect): GrainlineError {
  try {
    compileFor(query, model, dialect)
  } catch (error) {
    if (error instanceof GrainlineError) return error
    throw error
  }
  throw new Error(`not refused: ${JSON.stringify(query)}`)
}
