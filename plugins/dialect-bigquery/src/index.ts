import { definePlugin } from '@grainline/core'
import { bigquery } from './bigquery.js'

export { bigquery }

export default definePlugin({
  name: '@grainline/dialect-bigquery',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(bigquery),
})
