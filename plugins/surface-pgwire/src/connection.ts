/** Serves a connection from its first byte to its last. */
import type { Socket } from 'node:net'
import type { Logger } from '@grainline/core'
import { clientOf, type NoSeat, onBehalfOf, type Principal, type Seat } from '@grainline/core/surface'
import type { AuthPlan } from './handshake/auth-plan.js'
import { authenticate } from './handshake/authenticate.js'
import { negotiate } from './handshake/negotiate.js'
import { isNaming, type Startup, settingsIn } from './handshake/startup.js'
import type { CancelKey, Connections } from './session/connections.js'
import { serveSession } from './session/serve-session.js'
import type { Session } from './session/session.js'
import { toPgError } from './session/to-pg-error.js'
import { ConnectionGone } from './wire/byte-stream.js'
import { AUTHENTICATION, BACKEND } from './wire/codes.js'
import { authentication, parameterStatus } from './wire/messages.js'
import { fatal, PgError } from './wire/pg-error.js'
import { type Encryption, Wire } from './wire/wire.js'

/** An authenticated client. */
export interface Client {
  readonly wire: Wire
  readonly startup: Startup
  readonly principal: Principal
  readonly key: CancelKey
  readonly address: string | undefined
}

export interface ConnectionContext {
  readonly plan: AuthPlan
  readonly encryption: () => Encryption | undefined
  readonly authTimeoutMs: number
  readonly connections: Connections
  readonly logger: Logger
  /** Opens a session for an authenticated client. Throws for an unknown database or setting. */
  readonly open: (client: Client) => Promise<Session>
}

/** Serves a socket until it closes. A client without a seat may only cancel. Never rejects. */
export async function serveConnection(socket: Socket, seat: Seat | NoSeat, context: ConnectionContext): Promise<void> {
  let session: Session | undefined
  const wire = new Wire(socket, () => session?.abandon())
  const tooLate = () => wire.fail(fatal('57014', 'canceling authentication due to timeout'))
  const deadline = setTimeout(tooLate, context.authTimeoutMs)
  try {
    const startup = await negotiate(wire, {
      encryption: context.encryption(),
      cancel: (processId, secret) => context.connections.cancel(processId, secret),
    })
    if (startup === undefined) return
    if (typeof seat === 'string') throw REFUSALS[seat]()
    const user = startup.parameters.get('user') ?? ''
    const principal = onBehalfOf(await authenticate(wire, context.plan, user), namedIn(startup))
    const address = socket.remoteAddress
    // Until now the seat counted for the address, which clients with several keys may share.
    if (!(await seat.move(clientOf({ principal, address })))) throw REFUSALS.share()
    authentication(wire.out, AUTHENTICATION.ok)
    const key = context.connections.newKey(startup.minor)
    session = await context.open({ wire, startup, principal, key, address })
    clearTimeout(deadline)
    context.logger.debug({ principal: principal.id, database: startup.parameters.get('database') }, 'A client was let in')
    await startSession(session, key, context.connections)
  } catch (error) {
    if (!(error instanceof ConnectionGone)) wire.fail(lastWords(error, context.logger))
  } finally {
    clearTimeout(deadline)
    session?.abandon()
    wire.end()
  }
}

/** The principal for whom the client asks, if it names one. Two are refused as one that cannot be read. */
function namedIn(startup: Startup): string | undefined {
  const named = settingsIn(startup, isNaming).filter(([name]) => isNaming(name))
  return named.length === 0 ? undefined : named.map(([, value]) => value).join(', ')
}

const REFUSALS: Readonly<Record<NoSeat, () => PgError>> = {
  full: () => fatal('53300', 'sorry, too many clients already', { hint: 'The operator may raise PGWIRE_MAX_CONNECTIONS.' }),
  share: () =>
    fatal('53300', 'too many connections of one client', {
      hint: 'Close one of them, or ask the operator to raise PGWIRE_CLIENT_MAX_CONNECTIONS.',
    }),
}

async function startSession(session: Session, key: CancelKey, connections: Connections): Promise<void> {
  connections.add(key, session)
  try {
    for (const [name, value] of session.settings.all()) {
      if (session.settings.isReported(name)) parameterStatus(session.out, name, value)
    }
    session.out.begin(BACKEND.backendKeyData)
    session.out.int32(key.processId)
    session.out.raw(key.secret)
    session.out.end()
    await session.ready()
    await serveSession(session)
  } finally {
    connections.remove(key)
  }
}

/** An error that ends the connection is sent as FATAL. */
function lastWords(error: unknown, logger: Logger): PgError {
  const told = toPgError(error, logger)
  return new PgError(told.sqlState, told.message, { ...told.fields, severity: 'FATAL' })
}
