import { definePlugin, optionalText } from '@grainline/core'
import { optionsSchema, plansOf } from './options.js'
import { bigqueryVendor } from './vendor.js'

export type { Driver } from './driver.js'
export type { BigqueryOptions } from './options.js'
export type { BigqueryVendorOptions } from './vendor.js'
export { bigqueryVendor, plansOf }

/** Runs queries on Google BigQuery. The driver is loaded and the first job started by the first query. */
export default definePlugin({
  name: '@grainline/vendor-bigquery',
  host: '>=0.1.0 <1.0.0',
  options: optionsSchema,
  settings: {
    BIGQUERY_URL: optionalText({
      means: 'The BigQuery project, as bigquery://project/dataset?location=EU. Default: the one in the configuration.',
    }),
  },
  setup(host, options) {
    for (const plan of plansOf(options, host.settings)) host.vendors.register(bigqueryVendor(plan))
  },
})
