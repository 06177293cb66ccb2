/** The Postgres wire surface as a plugin. It listens if `PGWIRE_ENABLED` is set, and loads nothing otherwise. */
import { definePlugin, oneOf, Type } from '@grainline/core'
import { authMethod } from './handshake/auth-plan.js'
import { pgwireSurface } from './surface.js'

export default definePlugin({
  name: '@grainline/surface-pgwire',
  host: '>=0.1.0 <1.0.0',
  options: Type.Object({}, { additionalProperties: false }),
  settings: {
    PGWIRE_CATALOG: oneOf(['lazy', 'eager', 'off'], {
      default: 'lazy',
      means:
        'When the catalogue for tools starts. It needs about 260 MB. lazy: at the first query of a tool, eager: with the server, off: never.',
    }),
  },
  setup(host) {
    if (!host.settings.PGWIRE_ENABLED) return
    authMethod(host.settings)
    host.surfaces.register(pgwireSurface)
  },
})
