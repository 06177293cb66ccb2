/** The protocol-free service. Surfaces call it and translate; nothing here knows of HTTP, sockets or environment variables. */

export type { ModelHealth } from './model/health.js'
export { answerMetadata } from './service/answer-metadata.js'
export type {
  Asker,
  CompileRequest,
  CompileResult,
  ExecuteOptions,
  Execution,
  ExecutionOutcome,
  Question,
  QuestionObserver,
} from './service/asking.js'
export { createService } from './service/create-service.js'
export type {
  ModelHandle,
  ModelLoadResult,
  ModelRequest,
  QueryTarget,
  SessionInfo,
  ValidateResult,
} from './service/held-models.js'
export type { SemanticService } from './service/semantic-service.js'
export { settled } from './service/settled.js'
export type {
  SqlClass,
  SqlCompileResult,
  SqlDescription,
  SqlExecution,
  SqlLeaf,
  SqlRelation,
  SqlRequest,
} from './service/sql-service.js'
export type { VerifyReport } from './verify/report.js'
