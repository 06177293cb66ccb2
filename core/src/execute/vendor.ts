/** The contract of an execution driver. A vendor names its dialect, connects lazily, streams batches and cancels in the database. */
import type { Logger } from '../logger.js'
import type { PhysicalColumn } from '../model/stored-column.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import type { IntrospectedTable } from './introspection.js'

/** A kind of database that runs queries. `connect` opens nothing before the first query. */
export interface Vendor {
  readonly name: string
  /** The dialect its SQL is compiled to. */
  readonly dialect: string
  /**
   * The source of its answers: host, database, user, files. Two connections with the same identity have the same answers, so an answer of
   * one is cached for the other; without an identity, answers are cached only for this process. It is only used in a hash.
   */
  readonly identity?: string
  /** False where the address of its database is not set. It is then used only if DB_VENDOR names it, and the driver supplies missing values. */
  readonly configured?: boolean
  /** How tables of rollups are kept in it; absent where this version keeps none. */
  readonly rollups?: RollupStorage
  /** Opens the pool. Drivers are imported here, on first use. Throws `VENDOR_UNAVAILABLE` with the install command if a driver is missing. */
  connect(context: VendorContext): Promise<VendorConnection>
}

/** How tables of rollups are kept in a database. */
export interface RollupStorage {
  /** The clock of the database as an expression of SQL, in whole microseconds since 1970: of the start of its statement, or earlier. */
  readonly clock: string
  /** Opens a connection that may write; absent where its address is not set. `database` is that of the table, if its rollup names one. */
  readonly openWriter?: (context: { readonly logger: Logger; readonly database: string | undefined }) => Promise<RollupWriter>
  /** The setting with the address of that connection. */
  readonly setting: string
}

/** The connection of a builder. It does one thing at a time. */
export interface RollupWriter {
  /** Runs a statement. */
  run(sql: string, signal?: AbortSignal): Promise<void>
  /** The time of `clock`, in microseconds. */
  clock(): Promise<number>
  /** Shows all that was written to readers, at once. Where it is shown as it is written, this does nothing. */
  publish(): Promise<void>
  /** What was not published is gone. */
  close(): Promise<void>
}

/** The context of a vendor when it connects. */
export interface VendorContext {
  readonly logger: Logger
  readonly poolSize: number
}

/** One statement's planned columns, and its limits. */
export interface VendorQuery {
  /** Column types as the plan decided them; the vendor returns exactly these or fails with `RESULT_TYPE_MISMATCH`. */
  readonly schema: ResultSchema
  /** The maximum number of rows of the statement, if it sets a limit: few rows may be read at once. */
  readonly mostRows?: number
  /** Aborting cancels the statement in the database and rejects with the reason of the signal. */
  readonly signal?: AbortSignal
  /** The time limit of the statement; after it the statement is cancelled in the database and `QUERY_TIMEOUT` thrown. */
  readonly timeoutMs?: number
  /** To be called when the statement has its connection: the wait for a connection does not count as its time. */
  readonly started?: () => void
}

/** A pool of connections to one database. */
export interface VendorConnection {
  /** The same pool for one client: if many wait for a connection, each client gets a share. Without a client, the server itself uses it. */
  forClient?(client: string): VendorConnection
  /** Streams with backpressure: the next chunk is fetched when the consumer asks for it. Ending the iteration early frees the connection. */
  query(sql: string, query: VendorQuery): AsyncIterable<RecordBatch>
  /** True if the engine itself accepts the statement (prepared, not run); otherwise its error message. */
  check(sql: string): Promise<{ readonly valid: true } | { readonly valid: false; readonly message: string }>
  explain(sql: string): Promise<{ readonly format: 'text' | 'json'; readonly output: string }>
  timezone(): Promise<string>
  /** Tables and views that this connection may read, with keys and comments; system tables are left out. */
  introspect?(): Promise<readonly IntrospectedTable[]>
  /**
   * The columns of each relation, in order. A relation is what FROM accepts: a table's quoted path, or a SELECT in parentheses. `undefined`
   * for one that cannot be read.
   */
  columnTypes?(sources: readonly string[]): Promise<readonly (readonly TypedColumn[] | undefined)[]>
  /** Why its answers show older data than those that its configuration names, such as a file that was replaced; `undefined` if they do not. */
  outdated?(): Promise<string | undefined>
  /** Opens what its configuration names now, and resolves to true, if it is outdated. Running statements end on what was open. */
  reopen?(): Promise<boolean>
  close(): Promise<void>
}

/** A column by its name in the database. */
export interface TypedColumn extends PhysicalColumn {
  readonly name: string
}
