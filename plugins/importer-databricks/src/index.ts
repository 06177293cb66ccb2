import { definePlugin } from '@grainline/core'
import { statementExporter, yamlExporter } from './export/exporter.js'
import { databricks } from './importer-process.js'

export { databricks, statementExporter, yamlExporter }

/** Models of Databricks: metric views, as YAML or as statements, both ways. */
export default definePlugin({
  name: '@grainline/importer-databricks',
  host: '>=0.1.0 <1.0.0',
  setup(host) {
    host.importers.register(databricks)
    host.exporters.register(yamlExporter)
    host.exporters.register(statementExporter)
  },
})
