/** What the author of a surface, a language or an authenticator needs: requests and answers of the service, and record batches as bytes. Names here are stable. */
export { credentialOf } from './auth/credential.js'
export { commentOf } from './discovery/comment-of.js'
export { errorCatalog } from './error-catalog.js'
export { warning } from './errors.js'
export { FairLine } from './fair-line.js'
export { FairShares } from './fair-shares.js'
export { type AnswerWithin, askWithin, type RequestWithin } from './host/ask-within.js'
export type { Deprecation } from './host/deprecation.js'
export { clientIp } from './host/door/client-ip.js'
export { principalOf } from './host/door/door.js'
export type {
  Authenticator,
  Credential,
  HttpSurface,
  Principal,
  RunningSocket,
  ScramVerifier,
  SocketSurface,
  Surface,
  SurfaceContext,
} from './host/points.js'
export { answerErrors, type Problem, type ReadShape, sendProblem } from './host/problem.js'
export { readTls, type TlsOptions } from './host/tls.js'
export type {
  Catalogue,
  CatalogueKind,
  Language,
  ModelQuery,
  ModelScope,
  NamedModel,
  OverRelations,
  Preview,
  Program,
  ProgramOptions,
  Reading,
  ReadProgram,
  ReadRequest,
  RelationQuery,
  ShownColumn,
  SqlParameter,
  SqlRelation,
} from './language/language.js'
export type { DimensionJson, FilterJson, OrderJson, QueryJson } from './language/query-json.js'
export { Lru, type LruLimits } from './lru.js'
export type { ReadSql, SqlOfAuthors } from './model/author-rights.js'
export {
  BOOLEAN,
  commonType,
  DATE,
  type DataType,
  decimal,
  FLOAT,
  formatDataType,
  INT,
  isNumeric,
  isTemporal,
  JSON_TYPE,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
  type TypeKind,
} from './model/data-type.js'
export { nameOfGrain, unitOfGrain } from './model/grain.js'
export type { FanTrapRisk, ModelHealth } from './model/health.js'
export { readLargeBody } from './model/parse/read-large-body.js'
export { type Cardinality, componentsOf, type FilterValue, type Segment } from './model/semantic-model.js'
export { didYouMean, nearest } from './nearest.js'
export type { Explain, ExplainJoin, ExplainNode } from './plan/explain-plan.js'
export { jsonPlace } from './query/json-place.js'
export {
  type ArrowIpc,
  type ArrowMessage,
  type ArrowSchemaOptions,
  loadArrowIpc,
  writeBody,
} from './result/arrow-ipc.js'
export { batchFromRows } from './result/column-builder.js'
export { formatDecimal, powerOfTen } from './result/decimal.js'
export type { DisplayOptions } from './result/display/display-value.js'
export { withDisplay } from './result/display/with-display.js'
export type { Encodable, ResultFormat } from './result/formats/format.js'
export { encodeJsonRows, type JsonColumn, type JsonEncoding, type JsonRowsOptions, jsonColumns } from './result/json-rows.js'
export type { ColumnRole, ColumnVector, RecordBatch, ResultColumn, ResultSchema } from './result/record-batch.js'
export { type Slice, slices } from './result/slices.js'
export {
  civilFromDays,
  formatDate,
  formatTime,
  formatTimestamp,
  INFINITE_DAYS,
  INFINITE_MICROS,
} from './result/temporal.js'
export { isPresent } from './result/validity.js'
export { decimalAt, textAt, type Value, valueAt } from './result/value-at.js'
export { type ZoneOffset, zoneOffset } from './result/zone-offset.js'
export { answerMetadata } from './service/answer-metadata.js'
export type {
  Asker,
  CompileRequest,
  CompileResult,
  ExecuteOptions,
  Execution,
  ExecutionOutcome,
  QueryEvent,
  QueryObserver,
} from './service/asking.js'
export { clientOf } from './service/asking.js'
export type { ComparedColumn, TableReport } from './service/check-tables.js'
export type {
  ModelHandle,
  ModelLoadResult,
  ModelRequest,
  QueryTarget,
  SessionInfo,
  ValidateResult,
} from './service/held-models.js'
export { type Receipt, receiptOf } from './service/receipt.js'
export type {
  CacheService,
  DiscoveryService,
  ModelService,
  ObservationService,
  QueryService,
  ReferenceService,
  ServiceMode,
  SessionService,
  SurfaceService,
  VerificationService,
  VerificationSummary,
} from './service/semantic-service.js'
export { settled } from './service/settled.js'
export type {
  CompiledModelQuery,
  SqlClass,
  SqlCompileResult,
  SqlDescription,
  SqlExecution,
  SqlRequest,
  SqlService,
} from './service/sql-service.js'
export { type Environment, lookup, readEnvironment } from './settings/environment.js'
export { tracedStream } from './telemetry.js'
export type { VerifyReport } from './verify/report.js'
export { type NoSeat, type Seat, type Seating, Seats, type SeatsOptions } from './workers/seats.js'
export { type Topic, topic, type Workers } from './workers/workers.js'
