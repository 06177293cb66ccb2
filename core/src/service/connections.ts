/** The connections to databases, one pool per vendor, opened on first use and only once. */
import { fail } from '../errors.js'
import type { Vendor, VendorConnection } from '../execute/vendor.js'
import { messageOf } from '../invariant.js'
import type { Logger } from '../logger.js'
import type { Point } from '../point.js'
import { Reachability } from './reachability.js'

export interface Connections {
  /** True if some vendor runs this dialect; opens nothing. */
  runs(dialect: string): boolean
  /** The identity of the data of this dialect's connection; opens nothing. Throws `NO_CONNECTION`. */
  sourceOf(dialect: string): string
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

export function createConnections(deps: {
  readonly vendors: Point<Vendor>
  /** Preferred among vendors of one dialect. */
  readonly preferred: string
  readonly logger: Logger
  readonly poolSize: number
  readonly randomId: () => string
  /** How long an answer of a database counts, in milliseconds. */
  readonly countsMs: number
}): Connections {
  const opened = new Map<string, Promise<VendorConnection>>()
  /** By the name of the vendor. A vendor without an identity gets one that is valid only in this process. */
  const sources = new Map<string, string>()
  /** How often the database of a vendor was opened again. */
  const reopened = new Map<string, number>()
  const reachabilities = new Map<string, Reachability>()
  let closed = false

  function reachabilityOf(vendor: Vendor): Reachability {
    const known = reachabilities.get(vendor.name)
    if (known) return known
    const made = new Reachability(() => open(vendor), { now: () => performance.now(), countsMs: deps.countsMs })
    reachabilities.set(vendor.name, made)
    return made
  }

  const configured = (): Vendor[] =>
    [...deps.vendors].filter((vendor) => vendor.configured !== false || vendor.name === deps.preferred)

  function vendorOf(dialect: string): Vendor | undefined {
    const fitting = configured().filter((vendor) => vendor.dialect === dialect)
    return fitting.find((vendor) => vendor.name === deps.preferred) ?? fitting[0]
  }

  function open(vendor: Vendor): Promise<VendorConnection> {
    if (closed) fail('SHUTTING_DOWN', 'The service is stopping')
    const known = opened.get(vendor.name)
    if (known) return known
    const opening = vendor.connect({ logger: deps.logger.child({ vendor: vendor.name }), poolSize: deps.poolSize })
    opened.set(vendor.name, opening)
    // A connection that failed is opened again by the next query.
    opening.catch(() => opened.delete(vendor.name))
    return opening
  }

  const reopenings = (name: string): string => (reopened.has(name) ? ` reopened ${reopened.get(name)}` : '')

  async function isOutdated({ name }: Vendor): Promise<boolean> {
    const connection = await opened.get(name)?.catch(() => undefined)
    return (await connection?.outdated?.()) !== undefined
  }

  async function reopen(name: string, connection: Promise<VendorConnection>): Promise<readonly string[]> {
    try {
      if (!(await (await connection).reopen?.())) return []
      // An answer that is running now is of the data before.
      reopened.set(name, (reopened.get(name) ?? 0) + 1)
      sources.delete(name)
      deps.logger.info({ vendor: name }, `The database of ${name} is open again`)
      return [name]
    } catch (err) {
      deps.logger.error({ err, vendor: name }, `The database of ${name} stays as it is: ${messageOf(err)}`)
      return []
    }
  }

  return {
    sourceOf(dialect) {
      const { name, identity } = vendorOf(dialect) ?? refuse(dialect, configured())
      const known = sources.get(name)
      if (known !== undefined) return known
      const source = `${name} ${identity ?? deps.randomId()}${reopenings(name)}`
      sources.set(name, source)
      return source
    },
    runs: (dialect) => vendorOf(dialect) !== undefined,
    async open(dialect, client) {
      const connection = await open(vendorOf(dialect) ?? refuse(dialect, configured()))
      return client === undefined ? connection : (connection.forClient?.(client) ?? connection)
    },
    async reopen() {
      const names = await Promise.all([...opened].map(([name, connection]) => reopen(name, connection)))
      return names.flat()
    },
    async areReachable() {
      const answers = await Promise.all(
        configured().map(async (vendor) => (await reachabilityOf(vendor).isReachable()) && !(await isOutdated(vendor))),
      )
      return answers.every(Boolean)
    },
    doubt(dialect) {
      const vendor = vendorOf(dialect)
      if (vendor) reachabilities.get(vendor.name)?.doubt()
    },
    async close() {
      closed = true
      const all = await Promise.allSettled(opened.values())
      opened.clear()
      await Promise.allSettled(all.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)))
    },
  }
}

function refuse(dialect: string, vendors: Iterable<Vendor>): never {
  const suggestions = [...new Set([...vendors].map((vendor) => vendor.dialect))].sort()
  const there =
    suggestions.length > 0 ? `the configured connections run ${suggestions.join(', ')}` : 'no connection is configured'
  return fail('NO_CONNECTION', `No connection runs dialect '${dialect}'; ${there}`, { suggestions })
}
