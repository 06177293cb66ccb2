import { definePlugin } from '@grainline/core'
import { clickhouse } from './clickhouse.js'

export { clickhouse }

export default definePlugin({
  name: '@grainline/dialect-clickhouse',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(clickhouse),
})
