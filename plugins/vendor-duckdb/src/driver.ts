import type * as Api from '@duckdb/node-api'
import type * as Bindings from '@duckdb/node-bindings'
import { GrainlineError } from '@grainline/core'

/** DuckDB's C API for everything hot, its TypeScript layer for the values of nested types. */
export interface Driver {
  readonly bindings: typeof Bindings
  readonly api: typeof Api
}

/** Loads the native driver on first use. Throws `VENDOR_UNAVAILABLE` with the install command. */
export async function loadDriver(): Promise<Driver> {
  try {
    const [bindings, api] = await Promise.all([import('@duckdb/node-bindings'), import('@duckdb/node-api')])
    return { bindings: unwrapped(bindings), api: unwrapped(api) }
  } catch (cause) {
    throw new GrainlineError('VENDOR_UNAVAILABLE', 'The DuckDB driver cannot be loaded', {
      hint: 'npm install @duckdb/node-api@1.5.5-r.1 @duckdb/node-bindings@1.5.5-r.1',
      cause,
    })
  }
}

/** Both packages are CommonJS: whatever Node did not detect as a named export stands on `default`. */
const unwrapped = <T>(module: T): T => (module as T & { readonly default?: T }).default ?? module
