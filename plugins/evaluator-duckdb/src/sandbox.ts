import type * as Api from '@duckdb/node-api'
import { GrainlineError } from '@grainline/core'
import type { Bounds } from './options.js'

export interface Sandbox {
  readonly api: typeof Api
  connect(): Promise<Api.DuckDBConnection>
  close(): void
}

/**
 * A database in memory that reaches nothing: no file, no network, no extension, no secret, and no setting but the zone can be changed. Nothing
 * is ever stored in it but temporary tables, which only their own connection sees. Throws `VENDOR_UNAVAILABLE` with the install command.
 */
export async function openSandbox({ memoryLimit, threads }: Bounds): Promise<Sandbox> {
  const api = await loadDriver()
  const instance = await api.DuckDBInstance.create(':memory:', {
    memory_limit: memoryLimit,
    threads: String(threads),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
  })
  const connection = await instance.connect()
  for (const statement of LOCK) await connection.run(statement)
  connection.closeSync()
  return { api, connect: () => instance.connect(), close: () => instance.closeSync() }
}

const LOCK = [
  // Data that do not fit into memory are refused, not written to disk.
  "SET GLOBAL temp_directory = ''",
  "SET GLOBAL max_temp_directory_size = '0B'",
  "SET GLOBAL TimeZone = 'UTC'",
  // A quotient is never cut to a whole number, and by zero it is NULL.
  'SET GLOBAL ieee_floating_point_ops = false',
  // In 1.5.5 this optimizer treats different subplans of a UNION ALL as equal and returns wrong values.
  "SET GLOBAL disabled_optimizers = 'common_subplan'",
  'SET GLOBAL enable_external_access = false',
  // Each evaluation has the zone of its query. Statements cannot set it, because they are SELECTs.
  "SET GLOBAL allowed_configs = ['TimeZone']",
  'SET GLOBAL lock_configuration = true',
]

async function loadDriver(): Promise<typeof Api> {
  try {
    const module = await import('@duckdb/node-api')
    return (module as unknown as { readonly default?: typeof Api }).default ?? module
  } catch (cause) {
    throw new GrainlineError('VENDOR_UNAVAILABLE', 'The DuckDB driver, which evaluates outer statements, cannot be loaded', {
      hint: 'npm install @duckdb/node-api@1.5.5-r.1',
      cause,
    })
  }
}
