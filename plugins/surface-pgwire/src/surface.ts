import { createSecureContext } from 'node:tls'
import type { Settings } from '@grainline/core'
import {
  readTls,
  Seats,
  type SeatsOptions,
  type SocketSurface,
  type SurfaceContext,
  type TlsOptions,
} from '@grainline/core/surface'
import type { KeptAnswers } from './answers/catalog-answerer.js'
import { Catalog } from './catalog/catalog.js'
import { authPlan } from './handshake/auth-plan.js'
import { certificateHash } from './handshake/certificate-hash.js'
import { listen } from './listener.js'
import { openSession, type PgwireService } from './open-session.js'
import { Connections } from './session/connections.js'
import type { Encryption } from './wire/wire.js'

/** When the catalogue's database starts. */
export type CatalogMode = 'lazy' | 'eager' | 'off'

/** A type, as an interface is no record. */
type OwnSettings = { readonly PGWIRE_CATALOG: CatalogMode; readonly PGWIRE_TLS_REQUIRED: boolean }

type PgwireContext = SurfaceContext<PgwireService> & { readonly settings: Settings & OwnSettings }

export const pgwireSurface: SocketSurface = {
  name: 'pgwire',
  kind: 'socket',
  start: (context) => start(context as SurfaceContext & PgwireContext),
}

async function start(context: PgwireContext): ReturnType<SocketSurface['start']> {
  const { settings, logger, workers } = context
  const plan = await authPlan(context)
  let encryption = encryptionOf(readTls(settings, 'PGWIRE'), settings)
  if (plan.method === 'password' && encryption === undefined)
    logger.warn({ setting: 'PGWIRE_AUTH_MODE' }, 'PGWIRE_AUTH_MODE=password without TLS sends API keys unencrypted')
  const catalog = settings.PGWIRE_CATALOG === 'off' ? undefined : new Catalog(logger)
  if (settings.PGWIRE_CATALOG === 'eager') catalog?.warm()
  const kept: KeptAnswers = new Map()
  const share = shareOf(settings)
  const seats = workers?.seats('pgwire', share) ?? new Seats(share)
  const listener = await listen(settings, seats, {
    plan,
    encryption: () => encryption,
    authTimeoutMs: settings.PGWIRE_AUTH_TIMEOUT_SECONDS * 1000,
    connections: new Connections(workers),
    logger,
    open: (client) => openSession(client, { ...context, catalog, kept }),
  })
  return {
    address: listener.address,
    tls: encryption !== undefined,
    hostSetting: 'PGWIRE_HOST',
    reload() {
      encryption = encryptionOf(readTls(settings, 'PGWIRE'), settings)
    },
    async stop() {
      await listener.stop()
      await catalog?.close()
    },
  }
}

function encryptionOf(
  options: TlsOptions | undefined,
  { PGWIRE_TLS_REQUIRED: required }: Pick<OwnSettings, 'PGWIRE_TLS_REQUIRED'>,
): Encryption | undefined {
  if (options === undefined) return undefined
  const { cert, key, ca } = options
  return {
    context: createSecureContext({ cert, key, ca, minVersion: 'TLSv1.2' }),
    required: required || ca !== undefined,
    clientCertificates: ca !== undefined,
    certificateHash: certificateHash(cert.toString('latin1')),
  }
}

/** By default one client may take three quarters of the connections, or all of them while no other one connects. */
const shareOf = ({ PGWIRE_MAX_CONNECTIONS: most, PGWIRE_CLIENT_MAX_CONNECTIONS: share }: Sizes): SeatsOptions => ({
  most,
  mostOfOne: share ?? Math.ceil((most * 3) / 4),
  mostAlone: share ?? most,
})

interface Sizes {
  readonly PGWIRE_MAX_CONNECTIONS: number
  readonly PGWIRE_CLIENT_MAX_CONNECTIONS: number | undefined
}
