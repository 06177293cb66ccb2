import { definePlugin } from '@grainline/core'
import { statementExporter, yamlExporter } from './export/exporter.js'
import { snowflake } from './importer-process.js'

export { snowflake, statementExporter, yamlExporter }

/** Models of Snowflake: semantic views, as YAML or as a statement, both ways, and the semantic models before them. */
export default definePlugin({
  name: '@grainline/importer-snowflake',
  host: '>=0.1.0 <1.0.0',
  setup(host) {
    host.importers.register(snowflake)
    host.exporters.register(yamlExporter)
    host.exporters.register(statementExporter)
  },
})
