/** The contract of a language in which models are asked: it reads a text, and says which model queries it means and what the outer statement is. */
import type { Finding } from '../errors.js'
import type { SqlOfAuthors } from '../model/author-rights.js'
import type { DataType } from '../model/data-type.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { Named } from '../point.js'
import type { ReferencePage } from '../reference/reference-pages.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import type { Evaluator } from './evaluator.js'
import type { QueryJson } from './query-json.js'

/** Reads statements about models. It runs nothing: the service asks the queries, and an evaluator computes the outer statement. */
export interface Language extends Named {
  /** Reads the meaning of a statement. Throws a `GrainlineError` with the place of the fault in the text. */
  read<M extends NamedModel>(request: ReadRequest<M>): Promise<Reading<M>>
  /** The types of `$1`, `$2` … as the statement and the columns of the models in reach show them. */
  parameterTypes(text: string, columns: () => Promise<ResultSchema>, client?: string): Promise<readonly DataType[]>
  /** The relations that statements may read of a model: the one of its name first. */
  relations(model: SemanticModel, catalogue: Catalogue): Promise<readonly SqlRelation[]>
  /** Admits SQL text inside the models of clients (`MODEL_SQL=allow`). Left out by a language that reads no SQL. */
  readonly sqlOfAuthors?: (functions: readonly string[]) => Promise<SqlOfAuthors>
  /** A description of the language for people and agents. It is published as a reference page under the name of the language. */
  readonly reference?: Omit<ReferencePage, 'name'>
}

/** A statement, and what it may name. */
export interface ReadRequest<M extends NamedModel = NamedModel> extends Catalogue {
  readonly text: string
  /** The tree of the text in the grammar of the language, where the surface has read it already. */
  readonly tree?: unknown
  readonly scope: ModelScope<M>
  /** The values of `$1`, `$2` …. */
  readonly parameters: readonly SqlParameter[]
  readonly now: Date
  /** The client. Where many wait until their long texts are read, each client gets a share. Without it, the server itself is the client. */
  readonly client?: string
}

/** The functions and aggregates that plugins and the core offer, by name. */
export interface Catalogue {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
}

/** A model as statements may name it. */
export interface NamedModel {
  /** Its possible names; messages use the first. */
  readonly names: readonly string[]
  readonly model: SemanticModel
  /** The data object whose rows it represents, where that is not the model's main fact. */
  readonly fact?: string
}

/** The models that a statement may name. */
export interface ModelScope<M extends NamedModel = NamedModel> {
  readonly models: readonly M[]
  /** The model that a statement without FROM reads. */
  readonly chosen: M | undefined
}

/** The value of `$1`, `$2` …. Without a type it takes the type of the operand next to it. */
export interface SqlParameter {
  readonly value: string | number | bigint | boolean | null
  readonly type?: DataType
}

/** A model as a relation, for the rows of one of its facts. */
export interface SqlRelation {
  /** The part of the relation's name after the model's name; empty for its main fact. */
  readonly suffix: string
  /** The columns of `SELECT *`, in this order. */
  readonly columns: ResultSchema
}

/** The meaning of a statement. */
export type Reading<M extends NamedModel = NamedModel> =
  /** One query of one model; its answer is the statement's, but for the names and order of the columns. */
  | { readonly kind: 'model_query'; readonly modelQuery: ModelQuery<M>; readonly items: readonly ShownColumn[] }
  /** Queries of models, and an outer statement over their answers. */
  | { readonly kind: 'outer'; readonly program: ReadProgram<M> }
  /** About the models themselves, or the server. `evaluated` where that takes an evaluator, else `rows`, which may refuse. */
  | {
      readonly kind: 'catalogue'
      readonly about: CatalogueKind
      readonly rows: () => RecordBatch
      readonly evaluated?: undefined
    }
  | { readonly kind: 'catalogue'; readonly about: CatalogueKind; readonly evaluated: OverRelations<M>; readonly rows?: undefined }
  /** EXPLAIN of another statement, which is not run. */
  | { readonly kind: 'explain'; readonly reading: Reading<M> }
  /** A change of the client's own session. */
  | { readonly kind: 'session' }

/**
 * `system` reads `pg_catalog` or `information_schema`; `constant` reads nothing (`SELECT 1`, `SELECT version()`); `tables` and `describe`
 * list models and their fields.
 */
export type CatalogueKind = 'system' | 'constant' | 'tables' | 'describe'

/** A statement over relations that are made of what is known of the models. */
export interface OverRelations<M extends NamedModel = NamedModel> {
  readonly program: ReadProgram<M>
  readonly relations: () => Promise<readonly { readonly name: string; readonly batch: RecordBatch }[]>
}

/** Throws for every relation but a model, and for what the evaluator is not known to answer. */
export type ReadProgram<M extends NamedModel = NamedModel> = (options: ProgramOptions) => Program<M>

/** The evaluator that the outer statement is written for. */
export interface ProgramOptions {
  readonly evaluator: Evaluator
  /** Rows at most where the statement sets no limit itself. */
  readonly defaultLimit: number | undefined
}

/** The queries of a statement, and its own text over their answers. */
export interface Program<M extends NamedModel = NamedModel> {
  readonly modelQueries: readonly RelationQuery<M>[]
  /** Reads nothing but the relations of the model queries. */
  readonly sql: string
  /** The statement sets a limit itself. */
  readonly ownLimit: boolean
  readonly notices: readonly Finding[]
}

/** A query of one model. */
export interface ModelQuery<M extends NamedModel = NamedModel> {
  readonly model: M
  readonly query: QueryJson
  /** Set where its answer is the first rows of all columns. */
  readonly preview: Preview | undefined
  /** The object whose every row is a row of the answer; without it there is one row per tuple. */
  readonly rowsOf?: string | undefined
}

/** A query whose answer is a relation of the outer statement. */
export interface RelationQuery<M extends NamedModel = NamedModel> extends ModelQuery<M> {
  /** The relation that holds its rows. */
  readonly name: string
  /** The columns of the query's answer, in order; in the relation they are `c1`, `c2` … */
  readonly columns: readonly string[]
}

/** A column that the statement shows. */
export interface ShownColumn {
  /** Its name in the answer. */
  readonly name: string
  /** The column of the query's answer that it shows. */
  readonly column: string
}

/** The first rows of everything that a relation has, as people and tools look at a table that is new to them. */
export interface Preview {
  /** The object whose rows it looks at. */
  readonly fact: string
  readonly limit: number
  /** Columns that are left NULL, because their values depend on rows that a preview does not look at. */
  readonly leftOut: ReadonlySet<string>
  /** The columns of `SELECT *` over the relation. */
  readonly schema: ResultSchema
}
