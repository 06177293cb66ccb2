import type { QueryJson } from '../language/query-json.js'
import type { EmptyFields } from '../resolve/parameters-of-query.js'
import type { CompileRequest, CompileResult, ExecuteOptions, Execution } from './asking.js'

/** How a model query is run: the query for another model query of the same model, and the service that answers it. */
export interface Asks {
  readonly question: (query: QueryJson) => CompileRequest
  /** The fields of a query whose values depend on parameters without a value, and the names of these. */
  readonly emptyFields: (query: QueryJson) => EmptyFields
  readonly compile: (request: CompileRequest) => Promise<CompileResult>
  readonly execute: (request: CompileRequest, options: ExecuteOptions) => Promise<Execution>
}
