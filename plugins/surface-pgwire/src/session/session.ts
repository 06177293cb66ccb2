/** A client that may be here: its settings, its transaction, and what it has prepared. */
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

/** Statements and cursors that one connection may hold. */
const MOST_HELD = 1000

export interface SessionLimits {
  readonly queryTimeoutMs: number
}

/** Who works for a session. */
export interface SessionServices {
  readonly answerer: Answerer
  /** Makes a temporary table for a moment, to see whether it can be made; resolves to the command tag. */
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
  ) {
    this.settings = new SessionSettings((name, value) => parameterStatus(wire.out, name, value))
    this.transaction = new Transaction(this.settings)
    this.services = services(this)
  }

  get out() {
    return this.wire.out
  }

  /** Stops the statement that runs, if one does; the connection goes on. */
  cancel(): void {
    this.#running?.abort(new PgError('57014', 'canceling statement due to user request'))
  }

  /** The client is gone. */
  abandon(): void {
    this.#running?.abort(gone())
    for (const name of this.portals.keys()) this.dropPortal(name)
  }

  /** Runs `work` under the statement time-out and within reach of a cancellation; both abort `stop`, and so does the end of the client. */
  async watched<T>(stop: AbortController, work: () => Promise<T>): Promise<T> {
    // It may have ended before this statement began. What needs neither the database nor the catalogue is answered still.
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
    this.portals.set(name, portal)
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
    // Frees the database's connection even while rows are being fetched.
    if (!portal.ended) portal.stop.abort(new PgError('34000', `cursor "${name}" is closed`))
    void portal.cursor?.close()
  }

  /** Cursors live as long as their transaction, unless they were declared to be held. */
  dropTransactionPortals(): void {
    for (const [name, portal] of this.portals) if (!portal.hold) this.dropPortal(name)
  }

  /** Everything that a statement may leave in the session. */
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

const gone = (): PgError => new PgError('57014', 'the client is gone')
