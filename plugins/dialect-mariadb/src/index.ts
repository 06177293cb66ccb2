import { definePlugin } from '@grainline/core'
import { mariadb } from './mariadb.js'

export { mariadb }

export default definePlugin({
  name: '@grainline/dialect-mariadb',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.dialects.register(mariadb),
})
