import { definePlugin } from '@grainline/core'
import { dremio } from './dremio.js'

export { dremio }

export default definePlugin({
  name: '@grainline/dialect-dremio',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(dremio),
})
