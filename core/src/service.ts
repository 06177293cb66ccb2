/** The protocol-free service. Surfaces call it and translate; nothing here knows of HTTP, sockets or environment variables. */

export type { ModelHealth } from './model/health.js'
export { answerMetadata } from './service/answer-metadata.js'
export { createService } from './service/create-service.js'
export type {
  Asker,
  CompileRequest,
  CompileResult,
  ExecuteOptions,
  Execution,
  ExecutionOutcome,
  ModelHandle,
  ModelLoadResult,
  ModelRequest,
  QueryTarget,
  Question,
  QuestionObserver,
  SemanticService,
  SessionInfo,
  ValidateResult,
} from './service/semantic-service.js'
export { settled } from './service/settled.js'
export type {
  SqlClass,
  SqlCompileResult,
  SqlExecution,
  SqlLeaf,
  SqlRequest,
} from './service/sql-service.js'
export type { VerifyReport } from './verify/report.js'
