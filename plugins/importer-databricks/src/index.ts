import { definePlugin } from '@grainline/core'
import { databricks } from './importer-thread.js'

export { databricks }

/** Models of Databricks: metric views, as YAML or as the statement that creates one. */
export default definePlugin({
  name: '@grainline/importer-databricks',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.importers.register(databricks),
})
