/** The only door of `@grainline/core`: what a plugin, an application and a test may use. */
export type { Static, TSchema } from 'typebox'
/** TypeBox's schema builder, so that a plugin needs one import and the build can inline it. */
export * as Type from 'typebox'
export { credentialOf } from './auth/credential.js'
export { type CacheUnderTest, cacheConformance } from './cache/cache-conformance.js'
export type { CacheBackend, CacheEntry, CacheStore, Swept } from './cache/cache-store.js'
export { type DialectExpectations, dialectConformance, TRICKY_NAMES, TRICKY_TEXTS } from './compile/dialect-conformance.js'
export { type CompileContext, compile } from './compile.js'
export { commentOf } from './discovery/comment-of.js'
export type { Change, ModelDiff, Touched } from './discovery/model-diff.js'
export {
  type ErrorCode,
  type ErrorDetails,
  errorCatalog,
  type Finding,
  fail,
  GrainlineError,
  type Severity,
  warning,
} from './errors.js'
export * from './execute/index.js'
export { type AnswerWithin, askWithin, type RequestWithin } from './host/ask-within.js'
export {
  type HostConfig,
  type PluginEntry,
  type PluginEntryObject,
  type PluginList,
  type PreloadEntry,
  readConfig,
} from './host/config.js'
export { clientIp } from './host/door/client-ip.js'
export { principalOf } from './host/door/door.js'
export { createHost, type HostOptions } from './host/host.js'
export type { Inspection, PluginReport } from './host/inspection.js'
export {
  definePlugin,
  type Hook,
  type Host,
  type HostPlugin,
  type Implication,
  metaOf,
  type PluginDefinition,
  type PluginMeta,
} from './host/plugin.js'
export type {
  Authenticator,
  Credential,
  Evaluator,
  ExtensionPoints,
  HttpSurface,
  ModelFormat,
  Named,
  Point,
  PointName,
  Principal,
  RunningSocket,
  ScramVerifier,
  SocketSurface,
  Surface,
  SurfaceContext,
} from './host/points.js'
export type { RunningHost } from './host/running-host.js'
export { readTls, type TlsOptions } from './host/tls.js'
export { VERSION } from './host/version.js'
export { type Logger, silentLogger } from './logger.js'
export { Lru, type LruLimits } from './lru.js'
export * from './model/index.js'
export { readLargeBody } from './model/parse/read-large-body.js'
export { didYouMean, nearest } from './nearest.js'
export * from './query/index.js'
export * from './result/index.js'
export type {
  EvaluatedRelation,
  Evaluation,
  EvaluationRequest,
  EvaluatorFunction,
} from './semantic-ql/evaluator.js'
export type { QueryJson } from './semantic-ql/query-json.js'
export type { SqlParameter } from './semantic-ql/reader.js'
export type { ComparedColumn, TableReport } from './service/check-tables.js'
export { type Receipt, receiptOf } from './service/receipt.js'
export type { VerificationSummary } from './service/semantic-service.js'
export type {
  Asker,
  CompileRequest,
  CompileResult,
  ExecuteOptions,
  Execution,
  ExecutionOutcome,
  ModelHandle,
  ModelHealth,
  ModelLoadResult,
  ModelRequest,
  QueryTarget,
  Question,
  QuestionObserver,
  SemanticService,
  SessionInfo,
  SqlClass,
  SqlCompileResult,
  SqlDescription,
  SqlExecution,
  SqlLeaf,
  SqlRelation,
  SqlRequest,
  ValidateResult,
  VerifyReport,
} from './service.js'
export { answerMetadata, settled } from './service.js'
export {
  coreVariables,
  type Environment,
  flag,
  integer,
  list,
  lookup,
  oneOf,
  optionalInteger,
  optionalText,
  readEnvironment,
  readSettings,
  reportSettings,
  type Settings,
  text,
  type Variable,
  type Variables,
} from './settings.js'
export { aggregate, ansi, count, divisor, inDouble, unitKeyword } from './sql/ansi.js'
export type { CompiledQuery, Explain, ExplainJoin, ExplainNode } from './sql/compiled-query.js'
export * from './sql/dialect.js'
export { traced, tracedStream } from './telemetry.js'
