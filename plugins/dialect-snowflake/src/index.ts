import { definePlugin } from '@grainline/core'
import { snowflake } from './snowflake.js'

export { snowflake }

export default definePlugin({
  name: '@grainline/dialect-snowflake',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(snowflake),
})
