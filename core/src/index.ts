/**
 * The main entry point of `@grainline/core`: models, queries, the compiler, the service, the host, and how a plugin is written. Names here
 * are stable. Plugins find what their kind needs at `/dialect`, `/vendor`, `/surface`, `/language`, `/format` and `/testing`.
 */
export type { Static, TSchema } from 'typebox'
/** TypeBox's schema builder, so that a plugin needs one import and the build can inline it. */
export * as Type from 'typebox'
export type { CacheBackend, CacheEntry, CacheStore, Swept } from './cache/cache-store.js'
export { draftModel } from './cli/first-model/draft-model.js'
export type { CompileContext } from './compile/compile-context.js'
export { compile } from './compile.js'
export { type ErrorCode, type ErrorDetails, type Finding, fail, GrainlineError, type Severity } from './errors.js'
export { type HostConfig, readConfig } from './host/config.js'
export { createHost, type HostOptions } from './host/host.js'
export type { Inspection, PluginReport } from './host/inspection.js'
export { definePlugin, type Host, type HostPlugin, metaOf, type PluginDefinition, type PluginMeta } from './host/plugin.js'
export type { ExtensionPoints, PointName } from './host/points.js'
export type { RunningHost } from './host/running-host.js'
export { VERSION } from './host/version.js'
export { both, codeOf, entryOf, firstOf, itemAt, lastOf, messageOf, onlyOf, zip } from './invariant.js'
export { type Logger, silentLogger } from './logger.js'
export { Lru } from './lru.js'
export { apart } from './model/apart.js'
export { type DataType, parseDataType } from './model/data-type.js'
export type { ModelDocument } from './model/document.js'
export type { Exported, ExportedPath, Exporter, ExportFault } from './model/exporter.js'
export { builtInAggregates } from './model/functions/aggregates.js'
export { builtInFunctions } from './model/functions/catalogue.js'
export type { AggregateSpec, FunctionSpec, SpellFunction, Spelling } from './model/functions/function-spec.js'
export type { Parameter } from './model/functions/parameter.js'
export type {
  ForeignText,
  Imported,
  ImportedPlace,
  Importer,
  ImportFault,
  Loss,
  LossKind,
} from './model/importer.js'
export { loadModel } from './model/load-apart.js'
export type { LoadedModel, LoadRequest } from './model/load-model.js'
export { reached } from './model/reached-place.js'
export type { SemanticModel } from './model/semantic-model.js'
export type { Named, Point } from './point.js'
export { parseQuery } from './query/parse-query.js'
export type { QueryObject } from './query/query-object.js'
export type { SemanticService } from './service/semantic-service.js'
export type { Settings } from './settings/core-variables.js'
export { type Environment, lookup, readEnvironment } from './settings/environment.js'
export {
  flag,
  integer,
  list,
  oneOf,
  optionalInteger,
  optionalText,
  text,
  type Variable,
  type Variables,
} from './settings/variable.js'
export type { CompiledQuery } from './sql/compiled-query.js'
