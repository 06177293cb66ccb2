/** The Postgres wire surface as a plugin. It listens if `PGWIRE_ENABLED` is set, and loads nothing otherwise. */
import { definePlugin, fail, flag, oneOf, Type } from '@grainline/core'
import { authMethod } from './handshake/auth-plan.js'
import { pgwireSurface } from './surface.js'

/** Without a certificate no client could connect. Throws `INVALID_VARIABLE`. */
function tlsRule({ PGWIRE_TLS_REQUIRED: required, PGWIRE_TLS_CERT: certificate }: Readonly<Record<string, unknown>>): void {
  if (required !== true || certificate !== undefined) return
  const message = 'PGWIRE_TLS_REQUIRED is on, but there is no certificate: set PGWIRE_TLS_CERT and PGWIRE_TLS_KEY'
  fail('INVALID_VARIABLE', message, { path: 'PGWIRE_TLS_REQUIRED' })
}

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
    PGWIRE_TLS_REQUIRED: flag({
      default: false,
      means: 'Refuses connections without TLS to the Postgres wire. It needs PGWIRE_TLS_CERT and PGWIRE_TLS_KEY.',
    }),
  },
  setup(host) {
    if (!host.settings.PGWIRE_ENABLED) return
    authMethod(host.settings)
    tlsRule(host.settings)
    host.surfaces.register(pgwireSurface)
  },
})
