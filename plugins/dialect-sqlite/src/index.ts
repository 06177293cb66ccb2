import { definePlugin } from '@grainline/core'
import { sqlite } from './sqlite.js'

export { sqlite }

export default definePlugin({
  name: '@grainline/dialect-sqlite',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(sqlite),
})
