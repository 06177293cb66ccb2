/** The connections to databases, one pool per vendor, opened on first use and only once. */
import { fail } from '../errors.js'
import type { RollupStorage, Vendor, VendorConnection } from '../execute/vendor.js'
import { messageOf } from '../invariant.js'
import type { Logger } from '../logger.js'
import type { Point } from '../point.js'
import { Reachability } from './reachability.js'

export interface Connections {
  /** True if some vendor runs this dialect; opens nothing. */
  runs(dialect: string): boolean
  /** The identity of the data of this dialect's connection; opens nothing. Throws `NO_CONNECTION`. */
  sourceOf(dialect: string): string
  /** How tables of rollups are kept in the database of this dialect; `undefined` where none are. Opens nothing. */
  rollupsOf(dialect: string): RollupStorage | undefined
  /** The connection that runs this dialect, for this client. Rejects with `NO_CONNECTION` and the available ones, or `SHUTTING_DOWN`. */
  open(dialect: string, client?: string): Promise<VendorConnection>
  /** Opens the databases again that are outdated; returns the names of their vendors. Logs those that cannot be opened. Never rejects. */
  reopen(): Promise<readonly string[]>
  /** Whether every configured database has answered lately, and is not outdated. Never rejects. */
  areReachable(): Promise<boolean>
  /** A statement of this dialect has failed, maybe because its database is gone. */
  doubt(dialect: string): void
  close(): Promise<void>
}

interface ConnectionDeps {
  readonly vendors: Point<Vendor>
  /** Preferred among vendors of one dialect. */
  readonly preferred: string
  readonly logger: Logger
  readonly poolSize: number
  readonly randomId: () => string
  /** How long an answer of a database counts, in milliseconds. */
  readonly countsMs: number
}

export const createConnections = (deps: ConnectionDeps): Connections => new OpenConnections(deps)

class OpenConnections implements Connections {
  readonly #deps: ConnectionDeps
  readonly #opened = new Map<string, Promise<VendorConnection>>()
  /** By the name of the vendor. A vendor without an identity gets one that is valid only in this process. */
  readonly #sources = new Map<string, string>()
  /** How often the database of a vendor was opened again. */
  readonly #reopened = new Map<string, number>()
  readonly #reachabilities = new Map<string, Reachability>()
  #closed = false

  constructor(deps: ConnectionDeps) {
    this.#deps = deps
  }

  runs(dialect: string): boolean {
    return this.#vendorOf(dialect) !== undefined
  }

  sourceOf(dialect: string): string {
    const { name, identity } = this.#vendorOf(dialect) ?? refuse(dialect, this.#configured())
    const known = this.#sources.get(name)
    if (known !== undefined) return known
    const reopenings = this.#reopened.has(name) ? ` reopened ${this.#reopened.get(name)}` : ''
    const source = `${name} ${identity ?? this.#deps.randomId()}${reopenings}`
    this.#sources.set(name, source)
    return source
  }

  rollupsOf(dialect: string): RollupStorage | undefined {
    return this.#vendorOf(dialect)?.rollups
  }

  async open(dialect: string, client?: string): Promise<VendorConnection> {
    const connection = await this.#open(this.#vendorOf(dialect) ?? refuse(dialect, this.#configured()))
    return client === undefined ? connection : (connection.forClient?.(client) ?? connection)
  }

  async reopen(): Promise<readonly string[]> {
    const names = await Promise.all([...this.#opened].map(([name, connection]) => this.#reopen(name, connection)))
    return names.flat()
  }

  async areReachable(): Promise<boolean> {
    const isAnswering = async (vendor: Vendor) =>
      (await this.#reachabilityOf(vendor).isReachable()) && !(await this.#isOutdated(vendor))
    const answers = await Promise.all(this.#configured().map(isAnswering))
    return answers.every(Boolean)
  }

  doubt(dialect: string): void {
    const vendor = this.#vendorOf(dialect)
    if (vendor) this.#reachabilities.get(vendor.name)?.doubt()
  }

  async close(): Promise<void> {
    this.#closed = true
    const all = await Promise.allSettled(this.#opened.values())
    this.#opened.clear()
    await Promise.allSettled(all.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)))
  }

  #configured(): Vendor[] {
    const { vendors, preferred } = this.#deps
    return [...vendors].filter((vendor) => vendor.configured !== false || vendor.name === preferred)
  }

  #vendorOf(dialect: string): Vendor | undefined {
    const fitting = this.#configured().filter((vendor) => vendor.dialect === dialect)
    return fitting.find((vendor) => vendor.name === this.#deps.preferred) ?? fitting[0]
  }

  #open(vendor: Vendor): Promise<VendorConnection> {
    if (this.#closed) fail('SHUTTING_DOWN', 'The service is stopping')
    const known = this.#opened.get(vendor.name)
    if (known) return known
    const { logger, poolSize } = this.#deps
    const opening = vendor.connect({ logger: logger.child({ vendor: vendor.name }), poolSize })
    this.#opened.set(vendor.name, opening)
    // A connection that failed is opened again by the next query.
    opening.catch(() => this.#opened.delete(vendor.name))
    return opening
  }

  #reachabilityOf(vendor: Vendor): Reachability {
    const known = this.#reachabilities.get(vendor.name)
    if (known) return known
    const timing = { now: () => performance.now(), countsMs: this.#deps.countsMs }
    const reachability = new Reachability(() => this.#open(vendor), timing)
    this.#reachabilities.set(vendor.name, reachability)
    return reachability
  }

  async #isOutdated({ name }: Vendor): Promise<boolean> {
    const connection = await this.#opened.get(name)?.catch(() => undefined)
    return (await connection?.outdated?.()) !== undefined
  }

  async #reopen(name: string, connection: Promise<VendorConnection>): Promise<readonly string[]> {
    const { logger } = this.#deps
    try {
      if (!(await (await connection).reopen?.())) return []
      // An answer that is running now is of the data before.
      this.#reopened.set(name, (this.#reopened.get(name) ?? 0) + 1)
      this.#sources.delete(name)
      logger.info({ vendor: name }, `The database of ${name} is open again`)
      return [name]
    } catch (err) {
      logger.error({ err, vendor: name }, `The database of ${name} stays as it is: ${messageOf(err)}`)
      return []
    }
  }
}

function refuse(dialect: string, vendors: Iterable<Vendor>): never {
  const suggestions = [...new Set([...vendors].map((vendor) => vendor.dialect))].sort()
  const there =
    suggestions.length > 0 ? `the configured connections run ${suggestions.join(', ')}` : 'no connection is configured'
  return fail('NO_CONNECTION', `No connection runs dialect '${dialect}'; ${there}`, { suggestions })
}
