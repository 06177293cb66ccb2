/** The Arrow Flight SQL surface as a plugin. It listens if `FLIGHT_ENABLED` is set; otherwise gRPC and Arrow are not loaded. */
import { definePlugin, integer, optionalText, Type, text } from '@grainline/core'
import { authMethod } from './access/auth-method.js'

export default definePlugin({
  name: '@grainline/surface-flight',
  host: '>=0.1.0 <1.0.0',
  options: Type.Object({}, { additionalProperties: false }),
  settings: {
    // Clients are on other machines, so the default does not depend on the REST server's address.
    FLIGHT_HOST: text({ default: '0.0.0.0', means: 'Address that the Flight surface binds.' }),
    FLIGHT_TICKET_KEY: optionalText({
      secret: true,
      rule: 'at least 16 characters',
      fits: (given) => given.length >= 16,
      means:
        'Key that encrypts tickets, prepared statements, tokens and session cookies. Replicas behind a load balancer must share one. Without it each start makes its own, which its workers share.',
    }),
    FLIGHT_TICKET_SECONDS: integer({
      least: 1,
      most: 31_536_000,
      default: 86_400,
      means: 'Seconds after which a ticket, a prepared statement or a token of a handshake expires.',
    }),
  },
  setup(host) {
    if (!host.settings.FLIGHT_ENABLED) return
    authMethod(host.settings)
    host.surfaces.register({
      name: 'flight',
      kind: 'socket',
      start: async (context) => (await import('./surface.js')).startFlight(context as never),
    })
  },
})
