import { definePlugin } from '@grainline/core'
import { dbt } from './importer-process.js'

export { dbt }

/** Models of dbt: semantic models and metrics, in both of its forms and as a manifest. */
export default definePlugin({
  name: '@grainline/importer-dbt',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.importers.register(dbt),
})
