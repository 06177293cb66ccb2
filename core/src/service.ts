/** The protocol-free service. Surfaces call it and translate; nothing here knows of HTTP, sockets or environment variables. */
export { createService, type ServiceDeps } from './service/create-service.js'
export type {
  CompileRequest,
  CompileResult,
  ExecuteOptions,
  Execution,
  ExecutionOutcome,
  ModelHandle,
  ModelHealth,
  ModelLoadResult,
  ModelRequest,
  PreloadedModel,
  QueryTarget,
  SemanticService,
  SessionInfo,
  ValidateResult,
} from './service/semantic-service.js'
