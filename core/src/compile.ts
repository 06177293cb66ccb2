import type { AggregateSpec, FunctionSpec } from './model/functions/function-spec.js'
import type { SemanticModel } from './model/semantic-model.js'
import type { QueryObject } from './query/query-object.js'
import type { CompiledQuery } from './sql/compiled-query.js'
import type { Dialect } from './sql/dialect.js'

/** What a compilation needs beside the question and the model; the same for every query of a host. */
export interface CompileContext {
  readonly dialect: Dialect
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  /** The service's clock, read once per query: what relative filters and `current_date()` resolve against. */
  readonly now: Date
  /** Applied when the query has no limit of its own. */
  readonly defaultLimit?: number
}

/** The line: question → resolved query → plan → statement → SQL. Throws `GrainlineError` with a path into the query. */
export function compile(_query: QueryObject, _model: SemanticModel, _context: CompileContext): CompiledQuery {
  throw new Error('not built yet')
}
