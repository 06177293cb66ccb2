import { definePlugin } from '@grainline/core'
import { databricks } from './databricks.js'

export { databricks }

export default definePlugin({
  name: '@grainline/dialect-databricks',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(databricks),
})
