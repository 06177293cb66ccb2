import { definePlugin, optionalText } from '@grainline/core'
import { optionsSchema, plansOf } from './options.js'
import { databricksVendor } from './vendor.js'

export type { DatabricksOptions } from './options.js'
export { databricksVendor, plansOf }

/** Runs queries on Databricks SQL. The driver is loaded and the first statement sent by the first query. */
export default definePlugin({
  name: '@grainline/vendor-databricks',
  host: '>=0.1.0 <1.0.0',
  options: optionsSchema,
  settings: {
    DATABRICKS_URL: optionalText({
      means:
        'The Databricks warehouse, as databricks://token:TOKEN@host/catalog/schema?path=/sql/1.0/warehouses/ID. Default: the one in the configuration.',
      secret: true,
    }),
  },
  setup(host, options) {
    for (const plan of plansOf(options, host.settings)) host.vendors.register(databricksVendor(plan))
  },
})
