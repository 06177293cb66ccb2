import { definePlugin } from '@grainline/core'
import { redshift } from './redshift.js'

export { redshift }

export default definePlugin({
  name: '@grainline/dialect-redshift',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(redshift),
})
