import type { Settings } from '@grainline/core'
import { loadArrowIpc } from '@grainline/core/format'
import {
  type ModelService,
  ON_BEHALF_OF,
  onBehalfOf,
  type ReferenceService,
  type RunningSocket,
  readTls,
  type SqlService,
  type SurfaceContext,
} from '@grainline/core/surface'
import type { Metadata } from '@grpc/grpc-js'
import { authMethod } from './access/auth-method.js'
import { gatekeeper } from './access/gatekeeper.js'
import { readCredential } from './access/read-credential.js'
import { sealer } from './access/sealer.js'
import { catalogCommands } from './catalog/catalog-commands.js'
import type { Handling } from './server/call-handlers.js'
import { flightCalls, flightDefinition } from './server/flight-service.js'
import { handshake } from './server/handshake.js'
import { healthCalls, healthDefinition } from './server/health.js'
import { type Listener, listen } from './server/listen.js'
import { reflectionServices } from './server/reflection.js'
import { TlsCredentials } from './server/tls-credentials.js'
import { sessionOptions } from './session/session-options.js'
import { commands } from './statements/commands.js'
import { Runs } from './statements/runs.js'

export type FlightSettings = Settings & {
  readonly FLIGHT_HOST: string
  readonly FLIGHT_TICKET_KEY: string | undefined
  readonly FLIGHT_TICKET_SECONDS: number
}

/** The part of the service that Flight uses. */
type FlightService = ModelService & SqlService & ReferenceService

export async function startFlight(
  context: SurfaceContext<FlightService> & { readonly settings: FlightSettings },
): Promise<RunningSocket> {
  const { service, settings, logger, authenticate, workers } = context
  const { FLIGHT_TICKET_KEY: key, FLIGHT_TICKET_SECONDS: seconds, FLIGHT_QUERY_TIMEOUT_SECONDS } = settings
  const { FLIGHT_HOST: host, FLIGHT_PORT: port } = settings
  const method = authMethod(settings)
  const files = readTls(settings, 'FLIGHT')
  const tls = files && new TlsCredentials(files)
  if (method.kind !== 'none' && tls === undefined) warnOfPlainText(logger)
  const sealing = sealer({ key: key ?? workers?.secret, seconds, now: Date.now })
  const gate = gatekeeper(method, authenticate, sealing)
  const credentialOf = (metadata: Metadata) => readCredential(metadata, settings.API_KEY_HEADER)
  const ipc = await loadArrowIpc()
  const answering = commands({
    service,
    ipc,
    sealer: sealing,
    session: sessionOptions(sealing, service),
    runs: new Runs(workers),
    catalog: catalogCommands({ service, ipc, statementMs: seconds * 1000 }),
    timeoutMs: FLIGHT_QUERY_TIMEOUT_SECONDS * 1000,
  })
  const admitted = (peer: string) => listener?.admitted(peer)
  const handling: Handling = {
    async admit(call) {
      const principal = onBehalfOf(await gate.admit(credentialOf(call.metadata)), namedIn(call.metadata))
      admitted(call.getPeer())
      return principal
    },
    logger,
  }
  const calls = { ...flightCalls(answering, handling), Handshake: handshake({ gate, credentialOf, admitted, logger }) }
  let listener: Listener | undefined
  listener = await listen({ host, port, tls }, [
    [flightDefinition, calls],
    [healthDefinition, healthCalls],
    ...reflectionServices(handling),
  ])
  return {
    address: listener.address,
    tls: tls !== undefined,
    isOpen: method.kind === 'none',
    hostSetting: 'FLIGHT_HOST',
    reload() {
      const renewed = readTls(settings, 'FLIGHT')
      if (renewed) tls?.replace(renewed)
    },
    stop: listener.stop,
  }
}

/** For whom a client asks. A header that is empty, or there twice, names nobody and is refused. */
function namedIn(metadata: Metadata): string | undefined {
  const values = metadata.get(ON_BEHALF_OF)
  return values.length === 0 ? undefined : values.join(', ')
}

function warnOfPlainText(logger: SurfaceContext['logger']): void {
  logger.warn(
    { setting: 'FLIGHT_TLS_CERT' },
    'Arrow Flight SQL without TLS sends keys and answers unencrypted: set FLIGHT_TLS_CERT and FLIGHT_TLS_KEY',
  )
}
