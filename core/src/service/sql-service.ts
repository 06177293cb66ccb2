/** The service for SQL statements. */
import type { CatalogueKind, SqlParameter, SqlRelation } from '../language/language.js'
import type { QueryJson } from '../language/query-json.js'
import type { DataType } from '../model/data-type.js'
import type { GivenValue } from '../model/parameter.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { RollupChoice } from '../query/query-object.js'
import type { ResultSchema } from '../result/record-batch.js'
import type { CompiledQuery } from '../sql/compiled-query.js'
import type { Asker } from './asker.js'
import type { CompileResult, ExecuteOptions, Execution } from './asking.js'
import type { QueryTarget } from './held-models.js'

/** Statements of SQL about models: parsed, compiled and answered. */
export interface SqlService {
  /** The kind of a statement, so that a surface can answer some kinds itself. An invalid statement does not reject: its kind is `refused`. */
  classifySql(request: SqlRequest): Promise<SqlClass>
  /** Rejects with the position of the error in `details.context`: `position`, `line` and `column`, all counted from 1. */
  compileSql(request: SqlRequest): Promise<SqlCompileResult>
  /** The columns of `executeSql`, and the parameters, without a call to a database. Parameters need no values. */
  describeSql(request: SqlRequest): Promise<SqlDescription>
  /** The relations of a model that statements may read, as lists of tables show them: its default view, the model, its other facts and views. */
  sqlRelations(model: SemanticModel): Promise<readonly SqlRelation[]>
  /** Resolves when the first rows have arrived. */
  executeSql(request: SqlRequest, options?: ExecuteOptions): Promise<SqlExecution>
}

/** A statement about models, and its client. */
export interface SqlRequest {
  readonly asker: Asker | undefined
  /** Where models are looked up; a model that it names is the default for a statement without FROM. */
  readonly target: QueryTarget
  readonly sql: string
  /** Name of the language of the statement; by default the one that was registered first. */
  readonly language?: string | undefined
  /** The tree of `sql` in the grammar of the language, if the surface has parsed it already. */
  readonly tree?: unknown
  /** The values of `$1`, `$2` …. */
  readonly parameters?: readonly SqlParameter[] | undefined
  /** The values of parameters of models, as texts or of their types. A statement gives others in FROM: `shop(currency => 'USD')`. */
  readonly modelParameters?: Readonly<Record<string, GivenValue>> | undefined
  /** Whether rollup tables are read, for each of its queries. */
  readonly rollups?: RollupChoice | undefined
  readonly dialect?: string | undefined
  /** `false`: the database does not check the statement. */
  readonly checked?: false | undefined
}

/** The columns and parameters of a statement, before it runs. */
export interface SqlDescription {
  readonly columns: ResultSchema
  /** Types of `$1`, `$2` …; text if nothing determines the type. */
  readonly parameters: readonly DataType[]
  /** IANA zone in which instants are shown. */
  readonly timezone: string
}

/** The kind of a statement. */
export type SqlClass =
  /** `model_query`: one query of one model. `outer`: queries of models, and an outer statement that is evaluated over their answers. */
  | { readonly kind: 'model_query' | 'outer' }
  /** About the models or the server, never about data. */
  | { readonly kind: 'catalogue'; readonly about: CatalogueKind }
  /** SET, SHOW, BEGIN and other statements about the client's own session, which the surface handles itself. */
  | { readonly kind: 'session' }
  /** The error of `compileSql` and `executeSql`. */
  | { readonly kind: 'refused'; readonly error: Error }

/** One query of a statement, and its compilation. */
export interface CompiledModelQuery {
  /** The relation that the outer statement reads; `model_query_1` and so on. */
  readonly name: string
  /** The model's name. */
  readonly model: string
  /** As a client could send it. */
  readonly query: QueryJson
  readonly compiled: CompileResult
}

/** The model queries' compilations as one; `sql` contains the statements that run in databases, one after another. */
export interface SqlCompileResult extends Omit<CompiledQuery, 'explain' | 'limit' | 'readings'> {
  readonly kind: 'model_query' | 'outer' | 'catalogue'
  readonly sql_valid: boolean
  /** The explanation, if there is a single model query. */
  readonly explain: CompiledQuery['explain'] | undefined
  readonly modelQueries: readonly CompiledModelQuery[]
  /** The outer statement sets its own limit, so it is never truncated. */
  readonly ownLimit: boolean
  /** Access rules bind the principal for some model that it reads, so none of the SQL is shown. */
  readonly withheld: boolean
  /** The statement over the model queries' answers; `undefined` if there is no outer statement. */
  readonly outerSql: string | undefined
}

/** A running statement. */
export type SqlExecution = Execution<SqlCompileResult>
