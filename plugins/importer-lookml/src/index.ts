import { definePlugin } from '@grainline/core'
import { lookml } from './importer-process.js'

export { lookml }

/** Models of LookML: views and explores. */
export default definePlugin({
  name: '@grainline/importer-lookml',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.importers.register(lookml),
})
