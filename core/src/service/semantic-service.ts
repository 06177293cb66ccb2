/** The service that surfaces use, by capabilities. All times are ISO 8601 strings in UTC; every refusal is a `GrainlineError`. */
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
import type { CompiledQuery } from '../sql/compiled-query.js'
import type { Dialect } from '../sql/dialect.js'
import type { VerifyReport } from '../verify/report.js'
import type {
  Asker,
  CompileRequest,
  CompileResult,
  ComposablesRequest,
  ExecuteOptions,
  Execution,
  QueryObserver,
  RowsBehind,
  RowsRequest,
  ValuesRequest,
} from './asking.js'
import type { BatchService } from './batch-service.js'
import type { TableReport } from './check-tables.js'
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
import type { SqlService } from './sql-service.js'

/** Loads models, and ends. The host does that; no surface may. */
export interface ServiceLifecycle {
  /** Loads `preload` and `MODEL_FILES` into protected sessions. Refuses with the faults of all files at once. */
  start(preload: readonly PreloadedModel[]): Promise<void>
  /** Reads the files of the protected sessions again and replaces the models of those that changed, all in one step. A faulty file keeps the model that is there. */
  reloadModels(): Promise<readonly ReloadedModel[]>
  /** Compiles the examples of the models that came from files, and logs a warning for each that does not compile. */
  checkPublished(): Promise<void>
  /** Does once what the first question of a client needs, so that it does not wait for code to be compiled. */
  warmUp(): Promise<void>
  /** Cancels what runs, closes every connection and forgets every session; every other call is refused with `SHUTTING_DOWN` from then on. */
  close(): Promise<void>
}

/** How this server is run. */
export interface ServiceMode {
  /** True when `QUERY_EXECUTE` or `FLIGHT_ENABLED` is set. */
  readonly executionEnabled: boolean
  /** True when models come from `MODEL_FILES`. */
  readonly curated: boolean
}

/** Sessions, which hold the models of clients. */
export interface SessionService {
  createSession(request: { readonly metadata: Readonly<Record<string, string>>; readonly client: string }): Promise<SessionInfo>
  /** Refreshes no deadline. */
  listSessions(): Promise<readonly SessionInfo[]>
  getSession(id: string): SessionInfo
  deleteSession(id: string): Promise<void>
}

/** Models: loaded, listed, checked, and the one that a request means. */
export interface ModelService {
  loadModel(sessionId: string, request: ModelRequest & { readonly dedup?: boolean }): Promise<ModelLoadResult>
  listModels(sessionId: string): readonly ModelHandle[]
  getModel(sessionId: string, modelId: string): ModelHandle
  deleteModel(sessionId: string, modelId: string): Promise<void>
  /** With a session, `inherits` may name one of its models. An invalid model is a result, not a refusal. */
  validate(request: ModelRequest, sessionId?: string): Promise<ValidateResult>
  /** A model of the operator, as an editor holds it: `extends` and `inherits` are read beside its file. Nothing is kept. */
  validateFile(document: ModelFile): Promise<ValidateResult>

  /**
   * Where several workers serve, what the target means may be held by another one. This brings it within reach of the verbs that answer at
   * once: `getSession`, `listModels`, `getModel`, `resolveModel`. The others do so by themselves. Without workers it does nothing.
   */
  reach(target: QueryTarget): Promise<void>
  /** The model that a request means: named, else the only one there is. `CONFLICT` lists the choices. */
  resolveModel(target: QueryTarget): ModelHandle
  /** The models of the protected sessions. */
  publishedModels(): readonly ModelHandle[]
}

/** The contents of a model and how its parts are connected. */
export interface DiscoveryService {
  /** By exact name, else by the only name that differs in case alone. Throws `FIELD_NOT_FOUND` or `EXAMPLE_NOT_FOUND` with suggestions. */
  findDimension(model: SemanticModel, name: string): Dimension
  findMeasure(model: SemanticModel, name: string): Measure
  findMetric(model: SemanticModel, name: string): Metric
  findExample(model: SemanticModel, name: string): Example
  /** The type of its values: as declared, else as its aggregate gives it. */
  measureType(model: SemanticModel, measure: Measure): DataType
  /** Dimensions, measures, metrics, objects and columns that a text may mean; of all kinds unless `kinds` says which. */
  findFields(model: SemanticModel, query: string, kinds?: readonly FindKind[]): FindResult
  /** What a dimension, measure or metric is made of. Throws `FIELD_NOT_FOUND` with suggestions. */
  lineage(model: SemanticModel, name: string): Lineage
  joinGraph(model: SemanticModel): JoinGraphView
  /** What changed from one model to another, and what that touches. */
  diff(before: SemanticModel, after: SemanticModel): ModelDiff
  /** The text of a Mermaid diagram. */
  erDiagram(model: SemanticModel, options: DiagramOptions): string
  /** The model as one relation: every field that a question may select, with the type that it is given. */
  modelColumns(model: SemanticModel): Promise<ResultSchema>
  /** The types of the metrics' values; those that nothing declares and no question of their own shows are left out. */
  metricTypes(model: SemanticModel): Promise<ReadonlyMap<string, DataType>>
}

/** Queries: compiled, explained and answered. */
export interface QueryService {
  compile(request: CompileRequest): Promise<CompileResult>
  /** What a question is at each stage of its way to SQL, for those who work on the compiler. Its shape may change with any release. */
  stages(request: CompileRequest): Promise<Readonly<Record<Stage, unknown>>>
  /** The statement's plan as the connected database explains it; never runs it. */
  explainInDatabase(
    compiled: CompiledQuery,
    asker?: Asker,
  ): Promise<{ readonly format: 'text' | 'json'; readonly output: string }>
  /** Resolves when the first rows are there, so that a refusal of the database comes as a rejection and not in mid-stream. */
  execute(request: CompileRequest, options?: ExecuteOptions): Promise<Execution>
  /** The rows that a number of an answer was made of, each with what they come to. Throws `NO_ROWS_BEHIND`. */
  rowsBehind(request: RowsRequest, options?: ExecuteOptions): Promise<RowsBehind>
  /** What can still be added, each alone, so that the question compiles. Throws the question's own fault when nothing fixes it. */
  composables(request: ComposablesRequest): Promise<Composables>
  /** The distinct values of a dimension with their row counts: two columns, the most frequent first. Runs like `execute`. */
  dimensionValues(request: ValuesRequest, options?: ExecuteOptions): Promise<Execution>
}

/** A model held against its data. */
export interface VerificationService {
  /** Proves the model against its data. What is wrong is a finding; rejects only when the database cannot be asked. */
  verify(target: QueryTarget, options?: ExecuteOptions & Pick<CompileRequest, 'asker' | 'dialect'>): Promise<VerifyReport>
  /** Compares the tables and columns that the model names with those of its database, without reading a row. */
  checkTables(target: QueryTarget, options?: Pick<CompileRequest, 'asker' | 'dialect'>): Promise<TableReport>
  /** The result of the last `verify` of this content in this process; `undefined` when there was none. */
  lastVerification(model: SemanticModel): VerificationSummary | undefined
}

/** Observation: every query, and the amount of held data. */
export interface ObservationService {
  /** Tells of every question that is compiled or answered, once that has ended. Returns how to stop. */
  observe(observer: QueryObserver): () => void
  /** How much is held: what clients opened, and what is published. */
  counts(): Promise<{ readonly sessions: number; readonly models: number; readonly publishedModels: number }>
}

/** The caches of answers and of compiled questions. */
export interface CacheService {
  /** The size and hit counts of the caches. Rejects with `CACHE_UNAVAILABLE`. */
  cacheStats(): Promise<CacheStats>
  /** Removes answers whose time is over and what is more than the store may hold. */
  sweepCache(): Promise<Swept & { readonly backend: string }>
  /** Forgets every answer and every compiled question; how many answers those were. */
  clearCache(): Promise<{ readonly backend: string; readonly cleared: number }>
  /** A table was loaded: answers that were read from it are forgotten. Rejects with `CACHE_UNAVAILABLE` when that cannot be promised. */
  heartbeat(table: TableName): Promise<Heartbeat>
}

/** What this server understands: dialects, settings, schemas and reference pages. */
export interface ReferenceService {
  dialects(): readonly Dialect[]
  /** Names of the aggregates and functions that the dialect can express. */
  supportedBy(dialect: Dialect): { readonly aggregations: readonly string[]; readonly functions: readonly string[] }
  /** The settings a client may know; never a secret, a path or an address. */
  publicSettings(): Readonly<Record<string, unknown>>
  /** The published JSON Schemas of the two languages. */
  jsonSchemas(): { readonly model: object; readonly query: object }
  /** What an editor knows of the model language: its keys, functions, aggregations and operators. Plain data. */
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
  /** How many. */
  readonly findings: number
}

export interface CacheStats {
  /** `CACHE_BACKEND`. */
  readonly backend: string
  readonly maxBytes: number
  /** Milliseconds since 1970; `undefined` where no answer is kept. */
  readonly nextSweepAt: number | undefined
  readonly results: ResultCacheStats
  readonly compile: CompileCacheStats
}

export interface Heartbeat {
  /** As it was named. */
  readonly table: string
  readonly recordedAt: Date
  /** Answers that were forgotten. */
  readonly invalidated: number
  /** Names of the data objects of loaded models that read it. */
  readonly dataObjects: readonly string[]
}
