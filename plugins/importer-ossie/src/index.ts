import { definePlugin } from '@grainline/core'
import { ossie } from './importer-thread.js'

export { ossie }

/** Models of Apache Ossie. */
export default definePlugin({
  name: '@grainline/importer-ossie',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.importers.register(ossie),
})
