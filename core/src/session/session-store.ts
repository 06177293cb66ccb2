/** The sessions with their models and deadlines. Time and ids are injected; a session past a deadline is gone at once, swept or not. */
import { createHash } from 'node:crypto'
import { fail } from '../errors.js'
import { Lru } from '../lru.js'
import { shown } from '../nearest.js'
import { clientKey } from './client-key.js'
import { RateLimit } from './rate-limit.js'

export interface SessionLimits {
  readonly ttlSeconds: number
  readonly maxAgeSeconds: number
  readonly maxSessions: number
  /** Sessions that one client may open per minute. */
  readonly perMinute: number
}

export interface Session<Held> {
  readonly id: string
  /** The id of the principal that opened it; the server itself if absent. */
  readonly owner?: string | undefined
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: number
  /** Milliseconds since 1970; `NEVER` for a protected session. */
  readonly maxExpiresAt: number
  readonly protected: boolean
  /** Another worker of this server owns the session; this is the last state that the worker reported. */
  readonly visiting: boolean
  readonly models: Map<string, Held>
  lastAccessedAt: number
  expiresAt: number
}

/** The state of a session that one worker reports to another. */
export type SessionFacts = Pick<
  Session<never>,
  'id' | 'owner' | 'metadata' | 'createdAt' | 'maxExpiresAt' | 'lastAccessedAt' | 'expiresAt'
> & { readonly modelCount: number }

/** 9999-12-31T23:59:59Z: the deadline of a session that never expires. */
export const NEVER = Date.UTC(9999, 11, 31, 23, 59, 59)

export class SessionStore<Held> {
  /** By the digest of the id, so that the time of a lookup reveals nothing about how close a guess is. */
  readonly #sessions = new Map<string, Session<Held>>()
  readonly #protectedNames = new Map<string, Session<Held>>()
  /** The session in which a model was last found. */
  readonly #holders = new Lru<Session<Held>>({ maxEntries: 1000, maxBytes: 0 })
  readonly #rate: RateLimit
  #closed = false

  constructor(
    private readonly limits: SessionLimits,
    readonly now: () => Date,
    private readonly randomId: () => string,
    private readonly release: (held: Held) => void,
    /** Called when a session that a client opened here has ended. */
    private readonly ended: () => void = () => undefined,
  ) {
    this.#rate = new RateLimit(limits.perMinute, 60_000)
  }

  /** Throws `RATE_LIMITED` or `SESSION_LIMIT`, both with `retry_after` in seconds, or `SHUTTING_DOWN`. */
  create(metadata: Session<never>['metadata'], client: string, owner?: string): Session<Held> {
    this.#refuseWhenClosed()
    const now = this.now().getTime()
    this.sweep()
    const waitMs = this.#rate.take(clientKey(client), now)
    if (waitMs > 0) this.refuseTooFast(waitMs)
    const held = this.#ofClients()
    if (held.length >= this.limits.maxSessions) this.refuseFull(held.length)
    return this.open(metadata, owner)
  }

  /** A session that was counted elsewhere. */
  open(metadata: Session<never>['metadata'], owner?: string): Session<Held> {
    this.#refuseWhenClosed()
    const now = this.now().getTime()
    const maxExpiresAt = now + this.limits.maxAgeSeconds * 1000
    const expiresAt = Math.min(now + this.limits.ttlSeconds * 1000, maxExpiresAt)
    return this.#add({
      id: this.randomId(),
      owner,
      metadata,
      createdAt: now,
      lastAccessedAt: now,
      expiresAt,
      maxExpiresAt,
      protected: false,
      visiting: false,
      models: new Map(),
    })
  }

  /** A session that never expires, counts towards no limit and refuses changes. */
  createProtected(id: string): Session<Held> {
    this.#refuseWhenClosed()
    const now = this.now().getTime()
    const session = this.#add({
      id,
      metadata: {},
      createdAt: now,
      lastAccessedAt: now,
      expiresAt: NEVER,
      maxExpiresAt: NEVER,
      protected: true,
      visiting: false,
      models: new Map(),
    })
    this.#protectedNames.set(id.toLowerCase(), session)
    return session
  }

  /** A session of another worker, as that worker reported it. Models that are no longer in `models` are removed. */
  welcome(facts: SessionFacts, models: ReadonlyMap<string, Held>): Session<Held> {
    this.#refuseWhenClosed()
    const known = this.#sessions.get(digestOf(facts.id))?.models ?? new Map<string, Held>()
    for (const [modelId, held] of known) if (!models.has(modelId)) this.release(held)
    const { modelCount: _, ...told } = facts
    return this.#add({ ...told, protected: false, visiting: true, models: new Map(models) })
  }

  /** The session of another worker has ended. */
  farewell(id: string): void {
    const session = this.#sessions.get(digestOf(id))
    if (session?.visiting) this.#remove(session)
  }

  /** The active sessions, oldest first; extends no deadline. */
  list(): Session<Held>[] {
    this.#refuseWhenClosed()
    const now = this.now().getTime()
    return [...this.#sessions.values()].filter((session) => !expired(session, now))
  }

  /** The active session that contains the model of this id, which no two sessions have; extends no deadline. */
  holding(id: string): Session<Held> | undefined {
    const known = this.#holders.get(id)
    if (known?.models.has(id) && this.find(known.id) === known) return known
    const found = this.list().find((session) => session.models.has(id))
    if (found) this.#holders.set(id, found, 0)
    else this.#holders.delete(id)
    return found
  }

  /** In the order of their creation. */
  protectedSessions(): Session<Held>[] {
    this.#refuseWhenClosed()
    return [...this.#protectedNames.values()]
  }

  /** The session, with its idle deadline extended. Throws `SESSION_NOT_FOUND`. */
  access(id: string): Session<Held> {
    const session = this.find(id) ?? fail('SESSION_NOT_FOUND', `There is no session '${shown(id)}', or it has expired`)
    const now = this.now().getTime()
    session.lastAccessedAt = now
    if (!session.protected) session.expiresAt = Math.min(now + this.limits.ttlSeconds * 1000, session.maxExpiresAt)
    return session
  }

  /** The session if it is active; extends no deadline. Protected sessions have names, so they are also found in another case. */
  find(id: string): Session<Held> | undefined {
    this.#refuseWhenClosed()
    const named = this.#protectedNames.get(id.toLowerCase())
    // Names of protected sessions are not secret, so no digest hides them.
    const session = named?.id === id ? named : (this.#sessions.get(digestOf(id)) ?? named)
    if (session && expired(session, this.now().getTime())) {
      this.#remove(session)
      return undefined
    }
    return session
  }

  /** Throws `SESSION_NOT_FOUND` or `SESSION_PROTECTED`. */
  delete(id: string): void {
    const session = this.access(id)
    if (session.protected) fail('SESSION_PROTECTED', 'The session is protected and cannot be deleted')
    this.#remove(session)
  }

  /** Removes every expired session; returns their number. */
  sweep(): number {
    const now = this.now().getTime()
    this.#rate.sweep(now)
    const dead = [...this.#sessions.values()].filter((session) => expired(session, now))
    for (const session of dead) this.#remove(session)
    return dead.length
  }

  /** Removes every session and refuses all later calls with `SHUTTING_DOWN`, also for work that began before. */
  close(): void {
    this.#closed = true
    for (const session of [...this.#sessions.values()]) this.#remove(session)
    this.#protectedNames.clear()
  }

  #refuseWhenClosed(): void {
    if (this.#closed) fail('SHUTTING_DOWN', 'The service is stopping')
  }

  refuseTooFast(waitMs: number): never {
    const context = { retry_after: Math.ceil(waitMs / 1000) }
    fail(
      'RATE_LIMITED',
      `This address may open ${this.limits.perMinute} sessions per minute; try again in ${context.retry_after} s.`,
      { context, hint: 'The operator may raise SESSION_RATE_LIMIT.' },
    )
  }

  /** There is room when the first of the sessions that are known here expires. */
  refuseFull(held: number): never {
    const next = Math.min(...this.#ofClients().map((session) => session.expiresAt))
    const wait = Math.ceil((next - this.now().getTime()) / 1000)
    const context = { retry_after: Number.isFinite(wait) ? Math.max(1, wait) : 60 }
    fail('SESSION_LIMIT', `The service holds ${held} sessions, as many as it may; try again later`, {
      context,
      hint: 'The operator may raise MAX_SESSIONS.',
    })
  }

  #ofClients(): Session<Held>[] {
    return [...this.#sessions.values()].filter((session) => !session.protected)
  }

  #add(session: Session<Held>): Session<Held> {
    this.#sessions.set(digestOf(session.id), session)
    return session
  }

  #remove(session: Session<Held>): void {
    this.#sessions.delete(digestOf(session.id))
    for (const id of session.models.keys()) this.#holders.delete(id)
    for (const held of session.models.values()) this.release(held)
    session.models.clear()
    if (!session.protected && !session.visiting) this.ended()
  }
}

const digestOf = (id: string): string => createHash('sha256').update(id).digest('base64')

function expired(session: Session<unknown>, now: number): boolean {
  return !session.protected && (now >= session.expiresAt || now >= session.maxExpiresAt)
}
