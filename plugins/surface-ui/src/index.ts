/** The web page as a plugin: `/ui` on the server, which uses `/v1` of the same server. */
import { definePlugin, Type } from '@grainline/core'
import { uiSurface } from './surface.js'

export default definePlugin({
  name: '@grainline/surface-ui',
  host: '>=0.1.0 <1.0.0',
  options: Type.Object({}, { additionalProperties: false }),
  setup(host) {
    host.surfaces.register(uiSurface())
  },
})
