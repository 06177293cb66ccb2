import { definePlugin } from '@grainline/core'
import { mysql } from './mysql.js'

export { collated, comparing, mysql } from './mysql.js'

export default definePlugin({
  name: '@grainline/dialect-mysql',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(mysql),
})
