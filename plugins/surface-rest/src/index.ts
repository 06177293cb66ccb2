/** The REST surface as a plugin: routes on the Fastify instance of the host. */
import { definePlugin, Type } from '@grainline/core'
import { restSurface } from './surface.js'

export default definePlugin({
  name: '@grainline/surface-rest',
  host: '>=0.1.0 <1.0.0',
  options: Type.Object({}, { additionalProperties: false }),
  setup(host) {
    host.surfaces.register(restSurface(host.version))
  },
})
