import { definePlugin } from '@grainline/core'
import { duckdb } from './duckdb.js'

export { duckdb }

export default definePlugin({
  name: '@grainline/dialect-duckdb',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(duckdb),
})
