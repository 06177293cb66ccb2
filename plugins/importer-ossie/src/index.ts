import { definePlugin } from '@grainline/core'
import { exporter } from './export/exporter.js'
import { ossie } from './importer-process.js'

export { exporter, ossie }

/** Models of Apache Ossie, both ways. */
export default definePlugin({
  name: '@grainline/importer-ossie',
  host: '>=0.1.0 <1.0.0',
  setup(host) {
    host.importers.register(ossie)
    host.exporters.register(exporter)
  },
})
