import { definePlugin } from '@grainline/core'
import { postgres } from './postgres.js'

export { postgres }

export default definePlugin({
  name: '@grainline/dialect-postgres',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(postgres),
})
