import type { SurfaceContext } from '@grainline/core/surface'

/** What each group of routes receives. */
export interface RestContext extends SurfaceContext {
  /** The version that `/health` reports. */
  readonly version: string
}

export type Service = SurfaceContext['service']
export type ModelHandle = ReturnType<Service['getModel']>
export type SemanticModel = ModelHandle['model']
export type QueryTarget = Parameters<Service['resolveModel']>[0]
export type CompileRequest = Parameters<Service['compile']>[0]
export type CompileResult = Awaited<ReturnType<Service['compile']>>
export type SqlRequest = Parameters<Service['compileSql']>[0]
export type SqlCompileResult = Awaited<ReturnType<Service['compileSql']>>
export type SqlExecution = Awaited<ReturnType<Service['executeSql']>>
export type RowsRequest = Parameters<Service['rowsBehind']>[0]
export type RowsBehind = Awaited<ReturnType<Service['rowsBehind']>>
export type Execution = Awaited<ReturnType<Service['execute']>>
