import { definePlugin } from '@grainline/core'
import { datafusion } from './datafusion.js'

export { datafusion }

export default definePlugin({
  name: 'grainline-dialect-datafusion',
  host: '^0.1.0',
  setup: (host) => host.dialects.register(datafusion),
})
