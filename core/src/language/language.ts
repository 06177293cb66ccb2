/** The contract of a language for queries on models: it parses a text, and returns the model queries that it means and the outer statement. */
import type { Finding } from '../errors.js'
import type { SqlOfAuthors } from '../model/author-rights.js'
import type { DataType } from '../model/data-type.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { GivenValue } from '../model/parameter.js'
import type { Measure, SemanticModel } from '../model/semantic-model.js'
import type { Named } from '../point.js'
import type { QueryColumn } from '../query/query-object.js'
import type { ReferencePage } from '../reference/reference-pages.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import type { Evaluator } from './evaluator.js'
import type { QueryJson } from './query-json.js'

/** Parses statements about models. It runs nothing: the service runs the queries, and an evaluator computes the outer statement. */
export interface Language extends Named {
  /** Reads the meaning of a statement, which depends on nothing else than the request. Throws a `GrainlineError` with the place of the fault in the text. */
  read<M extends NamedModel>(request: ReadRequest<M>): Promise<Reading<M>>
  /** The types of `$1`, `$2` … as far as the statement and the columns of the models show them. */
  parameterTypes(text: string, columns: () => Promise<ResultSchema>, client?: string): Promise<readonly DataType[]>
  /** The relations of a model that statements may read, as lists of tables show them: its default view, the model, its other facts and views. */
  relations(model: SemanticModel, catalogue: Catalogue): Promise<readonly SqlRelation[]>
  /** Checks SQL text inside the models of clients (`MODEL_SQL=allow`). Absent if a language reads no SQL. */
  readonly sqlOfAuthors?: (functions: readonly string[]) => Promise<SqlOfAuthors>
  /** A description of the language for people and agents. It is published as a reference page under the name of the language. */
  readonly reference?: Omit<ReferencePage, 'name'>
}

/** A statement, and the names that it may use. */
export interface ReadRequest<M extends NamedModel = NamedModel> extends Catalogue {
  readonly text: string
  /** The tree of the text in the grammar of the language, if the surface has parsed it already. */
  readonly tree?: unknown
  readonly scope: ModelScope<M>
  /** The values of `$1`, `$2` …. */
  readonly parameters: readonly SqlParameter[]
  /** The time at which the statement was sent. Other readings are kept for the same text, models and values; one that asks the time is not. */
  readonly now: () => Date
  /** The client. If many long texts wait to be parsed, each client gets a share. Without it, the server itself is the client. */
  readonly client?: string
}

/** The functions and aggregates of plugins and the core, by name. */
export interface Catalogue {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
}

/** A model with the names that statements may use for it. */
export interface NamedModel {
  /** Its possible names; messages use the first. */
  readonly names: readonly string[]
  readonly model: SemanticModel
  /** The data object whose rows it represents, if that is not the model's main fact. */
  readonly fact?: string
  /** The view that it is. `model` then has the fields of the view, and the service asks every query of the view. */
  readonly view?: string
  /** Of a view: the measures that count the rows of an object and are no fields of it. */
  readonly rowCounts?: readonly Measure[]
  /** The values of its parameters, if the statement gives them with the model. */
  readonly parameters?: Readonly<Record<string, GivenValue>>
  /** The measures for each row of a data object that the statement names: `model` has a dimension for each, and the service adds them to every query. */
  readonly columns?: readonly QueryColumn[]
}

/** The models that a statement may name. */
export interface ModelScope<M extends NamedModel = NamedModel> {
  readonly models: readonly M[]
  /** The model that a statement without FROM reads. */
  readonly chosen: M | undefined
}

/** The value of `$1`, `$2` …. Without a type it gets the type of the operand next to it. */
export interface SqlParameter {
  readonly value: string | number | bigint | boolean | null
  readonly type?: DataType
}

/** A model as a relation, for the rows of one of its facts, or one of its views. */
export interface SqlRelation {
  /** The part of the relation's name after the model's name; empty for its main fact. */
  readonly suffix: string
  /** The view that it is, with a model of its fields. The name of the relation is then the name of the view. */
  readonly view?: { readonly name: string; readonly model: SemanticModel }
  /** The columns of `SELECT *`, in this order. */
  readonly columns: ResultSchema
}

/** The meaning of a statement. */
export type Reading<M extends NamedModel = NamedModel> =
  /** One query of one model; its answer is that of the statement, except for the names and order of the columns. */
  | { readonly kind: 'model_query'; readonly modelQuery: ModelQuery<M>; readonly items: readonly ShownColumn[] }
  /** Queries of models, and an outer statement over their answers. */
  | { readonly kind: 'outer'; readonly program: ReadProgram<M> }
  /** About the models themselves, or the server. `evaluated` if that needs an evaluator, otherwise `rows`, which may refuse. */
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

/** A statement over relations that describe the models. */
export interface OverRelations<M extends NamedModel = NamedModel> {
  readonly program: ReadProgram<M>
  readonly relations: () => Promise<readonly { readonly name: string; readonly batch: RecordBatch }[]>
}

/** Throws for every relation except models, and for functions that the evaluator does not support. */
export type ReadProgram<M extends NamedModel = NamedModel> = (options: ProgramOptions) => Program<M>

/** The evaluator for which the outer statement is written. */
export interface ProgramOptions {
  readonly evaluator: Evaluator
  /** The maximum number of rows if the statement sets no limit itself. */
  readonly defaultLimit: number | undefined
}

/** The queries of a statement, and its remaining text over their answers. */
export interface Program<M extends NamedModel = NamedModel> {
  readonly modelQueries: readonly RelationQuery<M>[]
  /** Reads only the relations of the model queries. */
  readonly sql: string
  /** The statement sets a limit itself. */
  readonly ownLimit: boolean
  readonly notices: readonly Finding[]
}

/** A query of one model. */
export interface ModelQuery<M extends NamedModel = NamedModel> {
  readonly model: M
  readonly query: QueryJson
  /** Set if its answer is the first rows of all columns. */
  readonly preview: Preview | undefined
  /** The object for each of whose rows there is one row; without it there is one row per tuple. */
  readonly everyRowOf?: string | undefined
  /** Columns of periods that the answer shows as times of these types: a function of the language may have the type of its input. */
  readonly shownAs?: Readonly<Record<string, DataType>> | undefined
  /** What the answer says about its rows; the notices of an outer statement are those of its program. */
  readonly notices?: readonly Finding[]
}

/** A query whose answer is a relation of the outer statement. */
export interface RelationQuery<M extends NamedModel = NamedModel> extends ModelQuery<M> {
  /** The name of the relation with its rows. */
  readonly name: string
  /** The columns of the query's answer, in order; in the relation they are `c1`, `c2` … */
  readonly columns: readonly string[]
}

/** A column that the statement returns. */
export interface ShownColumn {
  /** Its name in the answer. */
  readonly name: string
  /** The column of the query's answer that it returns. */
  readonly column: string
}

/** The rows of all columns of a relation, as people and tools look at a new table. */
export interface Preview {
  /** The object whose rows are shown. */
  readonly fact: string
  /** Without it, all rows are read, the first ones first. */
  readonly limit: number | undefined
  readonly offset: number
  /** Columns that are NULL, because their values depend on rows that a preview does not read. */
  readonly leftOut: ReadonlySet<string>
  /** The columns of `SELECT *` over the relation. */
  readonly schema: ResultSchema
}
