import { GrainlineError, type Logger } from '@grainline/core'
import {
  availableMemory,
  bytesOfSize,
  cancellable,
  createPool,
  type RecordBatch,
  type ResultSchema,
  STRING,
  type Vendor,
  type VendorConnection,
  type VendorContext,
  type VendorQuery,
  valueAt,
} from '@grainline/core/vendor'
import { columnTypes } from './column-types.js'
import { openDatabase } from './database.js'
import { type Driver, loadDuckdb } from './driver.js'
import { engineMessage, tooLarge } from './errors.js'
import { introspect } from './introspect.js'
import { MemoryWatch, mostGrowth } from './memory-watch.js'
import { type WatchedFile, watchFile } from './opened-file.js'
import type { DuckDBPlan } from './options.js'
import { CLOCK, openWriter } from './rollup-writer.js'
import { openSession, type Session } from './session.js'
import { GivenUp, runStatement, type Start, type StatementDeps } from './statement.js'

/** Longest wait for a connection, in milliseconds. */
const WAIT_MS = 10_000

/** The vendor over a plan; nothing is opened before `connect`. */
export function duckdbVendor(plan: DuckDBPlan, { waitMs = WAIT_MS, rollups: file }: DuckDBVendorOptions = {}): Vendor {
  const identity = JSON.stringify(plan)
  const rollups = {
    clock: CLOCK,
    setting: 'ROLLUP_DUCKDB_URL',
    ...(file !== undefined && { openWriter: (context: WriterContext) => openWriter(plan, file, context) }),
  }
  return { name: 'duckdb', dialect: 'duckdb', identity, rollups, connect: (context) => connect(plan, context, waitMs) }
}

interface DuckDBVendorOptions {
  readonly waitMs?: number
  /** The file to which tables of rollups are written. */
  readonly rollups?: string | undefined
}

type WriterContext = Parameters<typeof openWriter>[2]

async function connect(plan: DuckDBPlan, { logger, poolSize }: VendorContext, waitMs: number): Promise<VendorConnection> {
  const driver = await loadDuckdb()
  const open = () => openPool({ plan, driver, logger, poolSize, waitMs })
  const closing = new AbortController()
  const givenUp = new GivenUp()
  const memory = new MemoryWatch({ most: mostGrowth(bytesOfSize(plan.memoryLimit), availableMemory()) })
  /** A database that was reopened is closed when its statements have ended. */
  const leaving = new Set<Promise<void>>()
  let opened = await open()
  return askedBy({
    driver,
    givenUp,
    memory,
    closing: closing.signal,
    get pool() {
      return opened.pool
    },
    outdated: () => opened.changed(),
    async reopen() {
      if ((await opened.changed()) === undefined) return false
      const before = opened
      opened = await open()
      const left = before.close().finally(() => leaving.delete(left))
      leaving.add(left)
      return true
    },
    async close() {
      closing.abort(new GrainlineError('QUERY_CANCELLED', 'The query was cancelled because the database is being closed'))
      await Promise.all([...leaving, opened.close()])
    },
  })
}

interface Opening {
  readonly plan: DuckDBPlan
  readonly driver: Driver
  readonly logger: Logger
  readonly poolSize: number
  readonly waitMs: number
}

async function openPool({ plan, driver, logger, poolSize: size, waitMs }: Opening) {
  const files: WatchedFile[] = []
  const forget = () => {
    for (const file of files) file.forget()
  }
  if (plan.database !== undefined) files.push(await watchFile({ database: plan.database, readOnly: plan.readOnly }, logger))
  const database = await openDatabase(plan, driver, logger).catch((error: unknown) => {
    forget()
    throw error
  })
  files.push(...(await Promise.all(database.attached.map((file) => watchFile(file, logger)))))
  const open = () => openSession(database, driver)
  const pool = createPool<Session>({ name: 'DuckDB', size, waitMs, open, close: (session) => session.close() })
  return {
    pool,
    /** What happened to one of its files. */
    changed: async () => (await Promise.all(files.map((file) => file.changed()))).find((what) => what !== undefined),
    async close() {
      forget()
      await pool.close()
      database.close()
    },
  }
}

interface Shared extends StatementDeps, Required<Pick<VendorConnection, 'outdated' | 'reopen' | 'close'>> {
  readonly closing: AbortSignal
}

/** The statements of a client; without a client, those of the server itself. */
function askedBy(shared: Shared, client?: string): VendorConnection {
  /** The pool that is open now. */
  const deps = (): StatementDeps => ({ ...shared, ...(client !== undefined && { client }) })
  const run = (start: Start, { signal, timeoutMs, ...query }: VendorQuery): AsyncIterable<RecordBatch> => {
    const grown = new AbortController()
    const end = () => grown.abort(tooLarge())
    return cancellable({ signals: [signal, shared.closing, grown.signal], timeoutMs }, (stop, reader) =>
      runStatement(deps(), start, { ...query, reader, end }, stop),
    )
  }
  const query = (sql: string, options: VendorQuery) =>
    run((session) => (isSmall(options) ? session.answer(sql) : session.start(sql)), options)

  const ask = (sql: string, columns: number) =>
    textRows(query(sql, { schema: textSchema(...Array.from({ length: columns }, (_, i) => `c${i}`)) }))

  return {
    forClient: (name) => askedBy(shared, name),
    query,
    check: (sql) => check(deps(), sql),
    async explain(sql) {
      const [row] = await textRows(run((session) => session.explain(sql), { schema: EXPLAIN_SCHEMA }))
      return { format: 'text', output: row?.[1] ?? '' }
    },
    async timezone() {
      const [row] = await textRows(query("SELECT current_setting('TimeZone')", { schema: textSchema('zone') }))
      return row?.[0] ?? 'UTC'
    },
    introspect: () => introspect(ask),
    columnTypes: (sources) => columnTypes(sources, ask),
    outdated: shared.outdated,
    reopen: shared.reopen,
    close: shared.close,
  }
}

/** No more rows than a chunk has, which DuckDB holds in any case. */
const isSmall = ({ mostRows = Number.POSITIVE_INFINITY }: VendorQuery): boolean => mostRows <= ROWS_OF_CHUNK

const ROWS_OF_CHUNK = 2048

async function check({ pool, client }: StatementDeps, sql: string): Promise<{ valid: true } | { valid: false; message: string }> {
  const session = await pool.acquire(undefined, client)
  try {
    await session.prepare(sql)
    return { valid: true }
  } catch (error) {
    return { valid: false, message: engineMessage(error) }
  } finally {
    await pool.release(session)
  }
}

const textSchema = (...names: readonly string[]): ResultSchema => names.map((name) => ({ name, type: STRING, role: 'field' }))
const EXPLAIN_SCHEMA = textSchema('explain_key', 'explain_value')

async function textRows(batches: AsyncIterable<RecordBatch>): Promise<string[][]> {
  const rows: string[][] = []
  for await (const { columns, rowCount } of batches) {
    for (let row = 0; row < rowCount; row++) rows.push(columns.map((column) => String(valueAt(column, row, STRING))))
  }
  return rows
}
