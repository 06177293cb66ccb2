/**
 * For the author of a surface or an authenticator: the contract, requests and answers of the service, listeners and clients. Answers as bytes are at
 * `/format`, and what a model says of its fields is at `/language`. Names here are stable.
 */

export { ON_BEHALF_OF, onBehalfOf } from './auth/on-behalf-of.js'
export { type AttributeValue, endsWhen, type Principal, refuseEnded } from './auth/principal.js'
export { isSameSecret } from './auth/same-secret.js'
export { askWithin } from './host/ask-within.js'
export { clientGone } from './host/client-gone.js'
export type { Deprecation } from './host/deprecation.js'
export { clientIp } from './host/door/client-ip.js'
export { principalOf } from './host/door/door.js'
export { type Address, listenAt } from './host/listen-at.js'
export type {
  Authenticator,
  Credential,
  HttpSurface,
  RunningSocket,
  ScramVerifier,
  SocketSurface,
  Surface,
  SurfaceContext,
} from './host/points.js'
export { answerErrors, type ReadShape, sendProblem } from './host/problem.js'
export { readTls, type TlsOptions } from './host/tls.js'
export { Turn } from './host/turn.js'
export { immutable } from './immutable.js'
export type { SqlParameter, SqlRelation } from './language/language.js'
export type { QueryJson } from './language/query-json.js'
export type { FanTrapRisk, ModelHealth } from './model/health.js'
export { readLargeBody } from './model/parse/parse-worker.js'
export type { Explain, ExplainJoin, ExplainNode } from './plan/explain-plan.js'
export { jsonPlace } from './query/json-place.js'
export type { Asker } from './service/asker.js'
export type {
  CompileRequest,
  CompileResult,
  ExecuteOptions,
  Execution,
  ExecutionOutcome,
  QueryEvent,
  QueryObserver,
} from './service/asking.js'
export { clientOf } from './service/asking.js'
export type { TableReport } from './service/check-tables.js'
export { settled } from './service/default-limit.js'
export type {
  ModelHandle,
  ModelLoadResult,
  ModelRequest,
  QueryTarget,
  SessionInfo,
  ValidateResult,
} from './service/held-models.js'
export { isSession } from './service/is-session.js'
export { type NamedTable, namedTables } from './service/named-tables.js'
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
export type {
  CompiledModelQuery,
  SqlClass,
  SqlCompileResult,
  SqlDescription,
  SqlExecution,
  SqlRequest,
  SqlService,
} from './service/sql-service.js'
export { isTraced, tracedStream } from './telemetry.js'
export type { VerifyReport } from './verify/report.js'
export { type NoSeat, type Seat, type Seating, Seats, type SeatsOptions } from './workers/seats.js'
export { type Topic, topic, type Workers } from './workers/workers.js'
