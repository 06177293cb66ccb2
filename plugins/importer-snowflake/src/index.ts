import { definePlugin } from '@grainline/core'
import { snowflake } from './importer-thread.js'

export { snowflake }

/** Models of Snowflake: semantic views, as YAML or as a statement, and the semantic models before them. */
export default definePlugin({
  name: '@grainline/importer-snowflake',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.importers.register(snowflake),
})
