import type * as Api from '@duckdb/node-api'
import type * as Bindings from '@duckdb/node-bindings'
import { loadDriver } from '@grainline/core/vendor'

/** DuckDB's C API for everything hot, its TypeScript layer for the values of nested types. */
export interface Driver {
  readonly bindings: typeof Bindings
  readonly api: typeof Api
}

export const loadDuckdb = (): Promise<Driver> =>
  loadDriver('DuckDB', '@duckdb/node-api@1.5.5-r.1 @duckdb/node-bindings@1.5.5-r.1', async () => {
    const [bindings, api] = await Promise.all([import('@duckdb/node-bindings'), import('@duckdb/node-api')])
    return { bindings: unwrapped(bindings), api: unwrapped(api) }
  })

/** Both packages are CommonJS: exports that Node did not detect by name are on `default`. */
const unwrapped = <T>(module: T): T => (module as T & { readonly default?: T }).default ?? module
