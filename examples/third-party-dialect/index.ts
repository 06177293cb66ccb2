import { definePlugin } from '@grainline/core'
import { quarry } from './quarry.js'

export { quarry }

export default definePlugin({
  name: 'acme-grainline-dialect-quarry',
  host: '^0.1.0',
  setup: (host) => host.dialects.register(quarry),
})
