/** The service for surfaces, by capabilities. All times are ISO 8601 strings in UTC; every error is a `GrainlineError`. */

import type { Principal } from '../auth/principal.js'
import type { Swept } from '../cache/cache-store.js'
import type { CompileCacheStats } from '../cache/compile-cache.js'
import type { ResultCacheStats } from '../cache/result-cache.js'
import type { TableName } from '../cache/table-name.js'
import type { Stage } from '../compile.js'
import type { Composables } from '../discovery/composables.js'
import type { DiagramOptions } from '../discovery/er-diagram.js'
import type { FindKind, FindResult } from '../discovery/find-fields.js'
import type { JoinGraphView } from '../discovery/join-graph-view.js'
import type { Lineage } from '../discovery/lineage.js'
import type { ModelDiff } from '../discovery/model-diff.js'
import type { DataType } from '../model/data-type.js'
import type { ModelLanguage } from '../model/model-language.js'
import type { Dimension, Example, Measure, Metric, SemanticModel } from '../model/semantic-model.js'
import type { ReferencePage } from '../reference/reference-pages.js'
import type { ResultSchema } from '../result/record-batch.js'
import type { Dialect } from '../sql/dialect.js'
import type { VerifyReport } from '../verify/report.js'
import type { Asker } from './asker.js'
import type {
  CompileRequest,
  CompileResult,
  ComposablesRequest,
  ExecuteOptions,
  Execution,
  QueryObserver,
  RollupRequest,
  RollupStatement,
  RowsBehind,
  RowsRequest,
  StagesRequest,
  ValuesRequest,
} from './asking.js'
import type { BatchService } from './batch-service.js'
import type { TableReport } from './check-tables.js'
import type { Conversion, ConvertRequest } from './conversion.js'
import type {
  ModelFile,
  ModelHandle,
  ModelLoadResult,
  ModelRequest,
  PreloadedModel,
  QueryTarget,
  ReloadedModel,
  SessionInfo,
  ValidateResult,
} from './held-models.js'
import type { RollupBuilt } from './rollups/rollup-builder.js'
import type { RollupStatus, RollupVerified } from './rollups/rollup-status.js'
import type { SqlService } from './sql-service.js'
import type { By } from './view-of.js'

/** Start and stop. Only the host does that, and no surface may. */
export interface ServiceLifecycle {
  /** Loads `preload` and `MODEL_FILES` into protected sessions. Refuses with the errors of all files at once. */
  start(preload: readonly PreloadedModel[]): Promise<void>
  /**
   * Reloads the files of the protected sessions and replaces the models of those that changed, all in one step. An invalid file keeps the
   * current model.
   */
  reloadModels(): Promise<readonly ReloadedModel[]>
  /** Opens the databases again whose files were replaced, and forgets what was read from them: answers, compiled queries, types of columns. */
  reopenDatabases(): Promise<void>
  /** Compiles the examples of the models that came from files, and logs a warning for each that does not compile. */
  checkPublished(): Promise<void>
  /** Runs the code of the first query of a client in advance, so that the client does not wait for its compilation. */
  warmUp(): Promise<void>
  /**
   * Cancels running queries, closes every connection and removes every session; every other call is refused with `SHUTTING_DOWN` from then
   * on.
   */
  close(): Promise<void>
}

/** How this server is run. */
export interface ServiceMode {
  /** True if `QUERY_EXECUTE` or `FLIGHT_ENABLED` is set. */
  readonly executionEnabled: boolean
  /** True if models come from `MODEL_FILES`. */
  readonly curated: boolean
}

/** Sessions, which contain the models of clients. One exists for the principal that opened it, and for administrators. */
export interface SessionService {
  createSession(request: {
    readonly metadata: Readonly<Record<string, string>>
    readonly client: string
    readonly by: By
  }): Promise<SessionInfo>
  /** Extends no deadline. */
  listSessions(by: By): Promise<readonly SessionInfo[]>
  getSession(id: string, by: By): SessionInfo
  deleteSession(id: string, by: By): Promise<void>
}

/** Models: loading, listing, checking, and the one that a request means. A request gets the view that its principal has of a model. */
export interface ModelService {
  loadModel(sessionId: string, request: ModelRequest & { readonly dedup?: boolean }): Promise<ModelLoadResult>
  listModels(sessionId: string, principal: Principal | undefined): readonly ModelHandle[]
  getModel(sessionId: string, modelId: string, principal: Principal | undefined): ModelHandle
  deleteModel(sessionId: string, modelId: string, principal: Principal | undefined): Promise<void>
  /** With a session, `inherits` may name one of its models. An invalid model is a result, not an error. */
  validate(request: ModelRequest, sessionId?: string): Promise<ValidateResult>
  /**
   * A text of another product as a model, or a model as a text of another product, and what it does not say as the text does. Nothing is stored. Rejects with
   * `INVALID_REQUEST` for an unknown format, and with `MODEL_INVALID` and every error for a text that is no model.
   */
  convert(request: ConvertRequest): Promise<Conversion>
  /** A model of the operator, as an editor has it: `extends` and `inherits` are read beside its file. Nothing is stored. */
  validateFile(document: ModelFile): Promise<ValidateResult>

  /**
   * With several workers, the target may belong to another one. This makes its state available to the synchronous methods: `getSession`,
   * `listModels`, `getModel`, `resolveModel`. The others do so by themselves. Without workers it has no effect.
   */
  reach(target: QueryTarget): Promise<void>
  /** The model that a request means: the named one, or else the only one. `CONFLICT` lists the choices. */
  resolveModel(target: QueryTarget, principal: Principal | undefined): ModelHandle
  /** The models of the protected sessions. */
  publishedModels(principal: Principal | undefined): readonly ModelHandle[]
}

/** The contents of a model and how its parts are connected. */
export interface DiscoveryService {
  /** By exact name, or else by the only name that differs only in case. Throws `FIELD_NOT_FOUND` or `EXAMPLE_NOT_FOUND` with suggestions. */
  findDimension(model: SemanticModel, name: string): Dimension
  findMeasure(model: SemanticModel, name: string): Measure
  findMetric(model: SemanticModel, name: string): Metric
  findExample(model: SemanticModel, name: string): Example
  /** The type of its values: as declared, or else the type of its aggregate. */
  measureType(model: SemanticModel, measure: Measure): DataType
  /** Dimensions, measures, metrics, objects and columns that match a text; of all kinds unless `kinds` selects some. */
  findFields(model: SemanticModel, query: string, kinds?: readonly FindKind[]): FindResult
  /** What a dimension, measure or metric is computed from. Throws `FIELD_NOT_FOUND` with suggestions. */
  lineage(model: SemanticModel, name: string): Lineage
  joinGraph(model: SemanticModel): JoinGraphView
  /** The changes from one model to another, and the fields that they affect. */
  diff(before: SemanticModel, after: SemanticModel): ModelDiff
  /** The text of a Mermaid diagram. */
  erDiagram(model: SemanticModel, options: DiagramOptions): string
  /** The model as one relation: every field that a query may select, with its type. With a statement, the fields of the views that it names come first. */
  modelColumns(model: SemanticModel, statement?: string): Promise<ResultSchema>
  /** The types of the metrics' values; those without a declared type that cannot be selected alone are left out. */
  metricTypes(model: SemanticModel): Promise<ReadonlyMap<string, DataType>>
}

/** Queries: compiled, explained and answered. */
export interface QueryService {
  compile(request: CompileRequest): Promise<CompileResult>
  /** A query at each stage of its compilation, for those who work on the compiler. Its shape may change with any release. */
  stages(request: StagesRequest): Promise<Readonly<Record<Stage | 'sql', unknown>>>
  /**
   * The statement's plan as the connected database explains it, without running the statement. Its estimates count removed rows, so somebody whom policies bind
   * gets `SQL_WITHHELD`, even if it sees SQL.
   */
  explainInDatabase(
    compiled: CompileResult,
    asker: Asker | undefined,
  ): Promise<{ readonly format: 'text' | 'json'; readonly output: string }>
  /** Resolves when the first rows have arrived, so that a database error is a rejection and does not occur in the middle of the stream. */
  execute(request: CompileRequest, options?: ExecuteOptions): Promise<Execution>
  /** The rows from which a number of an answer was computed, each with their total. Throws `NO_ROWS_BEHIND`. */
  rowsBehind(request: RowsRequest, options?: ExecuteOptions): Promise<RowsBehind>
  /** The fields that can be added, each alone, so that the query compiles. Throws the query's own error if no addition fixes it. */
  composables(request: ComposablesRequest): Promise<Composables>
  /** The distinct values of a dimension with their row counts: two columns, the most frequent first. Runs like `execute`. */
  dimensionValues(request: ValuesRequest, options?: ExecuteOptions): Promise<Execution>
}

/** The tables of rollups, for those whom no access rules bind. */
export interface RollupService {
  /** The statement whose rows a rollup table holds. Throws `SQL_WITHHELD`, `VOLATILE_ROLLUP`. */
  rollupStatement(request: RollupRequest): Promise<RollupStatement>
  /** The builds of each rollup of a model, and whether they are read. */
  rollupStatus(request: Omit<RollupRequest, 'rollup'>): Promise<readonly RollupStatus[]>
  /** Builds a table beside the one before, compares it with the facts and registers it. Needs a connection that may write, so that it is no verb of a surface. */
  buildRollup(request: RollupRequest, options?: Pick<ExecuteOptions, 'signal'>): Promise<RollupBuilt>
  /** Compares the newest build with the facts; one that differs is not read any more. Rejects with `CONFLICT` where the facts may have changed since. */
  verifyRollup(request: RollupRequest, options?: Pick<ExecuteOptions, 'signal'>): Promise<RollupVerified>
}

/** Verifies a model against its data. */
export interface VerificationService {
  /** Checks the model against its data. Errors in the data are findings; rejects only if the database cannot be queried. */
  verify(target: QueryTarget, options: ExecuteOptions & Pick<CompileRequest, 'asker' | 'dialect'>): Promise<VerifyReport>
  /** Compares the tables and columns that the model names with those of its database, without reading a row. */
  checkTables(target: QueryTarget, options: Pick<CompileRequest, 'asker' | 'dialect'>): Promise<TableReport>
  /** The result of the last `verify` of this content in this process; `undefined` if there was none. */
  lastVerification(model: SemanticModel): VerificationSummary | undefined
}

/** Observation: every query, and the amount of stored data. */
export interface ObservationService {
  /** Whether the models of the start are loaded and, if queries are run, every configured database has answered lately. */
  isReady(): Promise<boolean>
  /** Reports every query that is compiled or answered, when it has ended. Returns a function that stops it. */
  observe(observer: QueryObserver): () => void
  /** The numbers of sessions and models that clients opened, and of published ones. */
  counts(): Promise<{ readonly sessions: number; readonly models: number; readonly publishedModels: number }>
}

/** The caches of answers and of compiled queries. */
export interface CacheService {
  /** The size and hit counts of the caches. Rejects with `CACHE_UNAVAILABLE`. */
  cacheStats(): Promise<CacheStats>
  /** Removes expired answers, and those beyond the size of the store. */
  sweepCache(): Promise<Swept & { readonly backend: string }>
  /** Removes every answer and every compiled query; returns the number of answers. */
  clearCache(): Promise<{ readonly backend: string; readonly cleared: number }>
  /** A table was loaded: removes the answers that were read from it. Rejects with `CACHE_UNAVAILABLE` if that cannot be guaranteed. */
  heartbeat(table: TableName): Promise<Heartbeat>
}

/** What this server supports: dialects, settings, schemas and reference pages. */
export interface ReferenceService {
  dialects(): readonly Dialect[]
  /** Names of the aggregates and functions that the dialect supports. */
  supportedBy(dialect: Dialect): { readonly aggregations: readonly string[]; readonly functions: readonly string[] }
  /** The settings a client may know; never a secret, a path or an address. */
  publicSettings(): Readonly<Record<string, unknown>>
  /** The published JSON Schemas of the two languages. */
  jsonSchemas(): { readonly model: object; readonly query: object }
  /** The description of the model language for an editor: its keys, functions, aggregations and operators. Plain data. */
  modelLanguage(): ModelLanguage
  /** The languages described, for people and agents. */
  referencePages(): readonly ReferencePage[]
}

/** Everything that a surface may use. A surface names the parts that it uses, such as `SurfaceContext<ModelService & QueryService>`. */
export interface SurfaceService
  extends ServiceMode,
    SessionService,
    ModelService,
    DiscoveryService,
    QueryService,
    SqlService,
    BatchService,
    RollupService,
    VerificationService,
    ObservationService,
    CacheService,
    ReferenceService {}

/** The whole service, as its host holds it. */
export interface SemanticService extends ServiceLifecycle, SurfaceService {}

/** The result of the last verification. */
export interface VerificationSummary {
  readonly checked_at: string
  readonly status: VerifyReport['status']
  /** The number. */
  readonly findings: number
}

export interface CacheStats {
  /** `CACHE_BACKEND`. */
  readonly backend: string
  readonly maxBytes: number
  /** Milliseconds since 1970; `undefined` if no answer is stored. */
  readonly nextSweepAt: number | undefined
  readonly results: ResultCacheStats
  readonly compile: CompileCacheStats
}

export interface Heartbeat {
  /** As the caller named it. */
  readonly table: string
  readonly recordedAt: Date
  /** The number of removed answers. */
  readonly invalidated: number
  /** Names of the data objects of loaded models that read it. */
  readonly dataObjects: readonly string[]
}
