/** The state of an authenticated client: its settings, transaction, statements and portals. */
import type { Logger } from '@grainline/core'
import type { Answerer } from '../answers/answer.js'
import { Turn } from '../turn.js'
import { BACKEND } from '../wire/codes.js'
import { errorResponse, parameterStatus, readyForQuery } from '../wire/messages.js'
import { PgError, refuse } from '../wire/pg-error.js'
import type { Wire } from '../wire/wire.js'
import type { Portal, Prepared } from './portal.js'
import { SessionSettings } from './session-settings.js'
import { TemporaryTables } from './temporary-tables.js'
import { Transaction } from './transaction.js'

/** The limit of prepared statements and of cursors for each connection. */
const MOST_HELD = 1000

export interface SessionLimits {
  readonly queryTimeoutMs: number
}

/** The services that a session uses. */
export interface SessionServices {
  /** The id of the principal that asks now. */
  readonly principal: () => string
  readonly answerer: Answerer
  /** Checks a statement about a temporary table by running it and rolling it back. Resolves to the command tag. */
  readonly tryTemporary: (text: string, signal: AbortSignal) => Promise<string>
}

export class Session {
  readonly settings: SessionSettings
  readonly transaction: Transaction
  readonly prepared = new Map<string, Prepared>()
  readonly portals = new Map<string, Portal>()
  readonly temporary = new TemporaryTables()
  readonly turn = new Turn()
  readonly services: SessionServices
  #running: AbortController | undefined

  constructor(
    readonly wire: Wire,
    readonly limits: SessionLimits,
    readonly logger: Logger,
    services: (session: Session) => SessionServices,
    modelParameters: () => Iterable<string> = () => [],
    checkActing: (named: string) => void = () => {},
  ) {
    const acting = { isInTransaction: () => this.transaction.status === 'T', check: checkActing }
    this.settings = new SessionSettings((name, value) => parameterStatus(wire.out, name, value), modelParameters, acting)
    this.transaction = new Transaction(this.settings)
    this.services = services(this)
  }

  get out() {
    return this.wire.out
  }

  /** Cancels the running statement, if there is one. The connection stays open. */
  cancel(): void {
    this.#running?.abort(new PgError('57014', 'canceling statement due to user request'))
  }

  /** Stops all work, because the client has disconnected. */
  abandon(): void {
    this.#running?.abort(gone())
    for (const name of this.portals.keys()) this.dropPortal(name)
  }

  /** Runs `work` as the current statement. A timeout, a cancellation and the end of the connection abort `stop`. */
  async watched<T>(stop: AbortController, work: () => Promise<T>): Promise<T> {
    // The client may have closed its sending side already. It still gets answers that need no query.
    if (this.wire.input.ended) stop.abort(gone())
    const own = Number(this.settings.get('statement_timeout'))
    const most = this.limits.queryTimeoutMs
    const isOwn = own > 0 && own < most
    const hint = isOwn ? {} : { hint: 'The operator may raise PGWIRE_QUERY_TIMEOUT_SECONDS.' }
    const tooLate = () => stop.abort(new PgError('57014', 'canceling statement due to statement timeout', hint))
    const timer = setTimeout(tooLate, isOwn ? own : most)
    this.#running = stop
    try {
      return await work()
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error
    } finally {
      clearTimeout(timer)
      this.#running = undefined
    }
  }

  hold(name: string, portal: Portal): void {
    if (this.portals.size >= MOST_HELD) refuse('53400', `a connection may hold ${MOST_HELD} cursors`)
    this.portals.set(name, { ...portal, owner: this.services.principal() })
  }

  /** The portal of this name. One that another principal opened is refused. */
  portalNamed(name: string): Portal | undefined {
    const portal = this.portals.get(name)
    if (portal && portal.owner !== this.services.principal()) refuse('42501', `permission denied for portal "${name}"`)
    return portal
  }

  prepare(name: string, prepared: Prepared): void {
    if (name !== '' && this.prepared.has(name)) refuse('42P05', `prepared statement "${name}" already exists`)
    if (this.prepared.size >= MOST_HELD) refuse('53400', `a connection may hold ${MOST_HELD} prepared statements`)
    this.prepared.set(name, prepared)
  }

  statementNamed(name: string): Prepared {
    const missing = name === '' ? 'unnamed prepared statement does not exist' : `prepared statement "${name}" does not exist`
    return this.prepared.get(name) ?? refuse('26000', missing)
  }

  dropPortal(name: string): void {
    const portal = this.portals.get(name)
    if (portal === undefined) return
    this.portals.delete(name)
    clearTimeout(portal.idle)
    // This releases the database connection, even while rows are fetched.
    if (!portal.ended) portal.stop.abort(new PgError('34000', `cursor "${name}" is closed`))
    void portal.cursor?.close()
  }

  /** Cursors end with their transaction, unless they were declared WITH HOLD. */
  dropTransactionPortals(): void {
    for (const [name, portal] of this.portals) if (!portal.hold) this.dropPortal(name)
  }

  /** Removes everything that statements have left in the session. */
  discardAll(): void {
    for (const name of this.portals.keys()) this.dropPortal(name)
    this.prepared.clear()
    this.settings.resetAll()
    this.temporary.clear()
  }

  notice(notice: PgError): void {
    const least = this.settings.get('client_min_messages')
    const severe = notice.fields.severity === 'WARNING'
    if (least === 'error' || (least === 'warning' && !severe)) return
    errorResponse(this.out, notice, BACKEND.noticeResponse)
  }

  async ready(): Promise<void> {
    if (this.transaction.status === 'I') this.dropTransactionPortals()
    readyForQuery(this.out, this.transaction.status)
    await this.out.flush()
  }
}

const gone = (): PgError => new PgError('57014', 'the client has disconnected')
