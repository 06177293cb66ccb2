import { definePlugin } from '@grainline/core'
import { trino } from './trino.js'

export { trino }

export default definePlugin({
  name: '@grainline/dialect-trino',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(trino),
})
