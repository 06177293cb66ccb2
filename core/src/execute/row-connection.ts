/**
 * A connection over a driver that returns rows of texts, or columns: the pool, cancellation, retries and batches are the same for all of
 * them.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { fail, GrainlineError } from '../errors.js'
import type { Logger } from '../logger.js'
import { type DataType, formatDataType } from '../model/data-type.js'
import { batchFromRows } from '../result/column-builder.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import type { AnswerReader } from './answer-reader.js'
import { cancellable } from './cancellable.js'
import { type ConnectionPool, createPool } from './connection-pool.js'
import { CONNECTION_LOST, ownWords } from './driver-fault.js'
import type { IntrospectedTable } from './introspection.js'
import { isTooDeep, type StatementFault, statementError } from './statement-fault.js'
import type { TypedColumn, VendorConnection, VendorQuery } from './vendor.js'

/** A row as it arrived: texts, and NULL. */
export type TextRow = readonly (string | null)[]

/** A column of an answer as the engine announces it; only the driver interprets the name of its type. */
export interface ArrivedColumn {
  readonly name: string
  readonly type: number | string
}

/** Some rows of an answer: texts, or columns with their planned types if the driver returns columns. */
export type Portion = readonly TextRow[] | RecordBatch

/** One connection of the pool. It runs one statement at a time. */
export interface RowSession {
  /**
   * Returns rows on demand. `announce` is called once, before the first row, also if there is none. Without `planned` the rows must be
   * texts.
   */
  rows(sql: string, announce: (columns: readonly ArrivedColumn[]) => void, planned?: ResultSchema): AsyncGenerator<Portion, void>
  /** Stops the running statement in the database. Has no effect on an idle connection. */
  cancel(): Promise<void>
  /**
   * Resets the connection: no transaction, setting, lock, temporary table or prepared name of the last statement is left. Called after
   * every statement, however it ended; a connection whose reset fails is dropped. Absent if a statement cannot leave anything.
   */
  restore?(): Promise<void>
  /** False when the connection is lost. */
  readonly usable: boolean
  /** Closes the connection at once, whatever it is doing. */
  destroy(): void
  close(): Promise<void>
}

/** What a vendor implements if its driver returns rows of texts. */
export interface RowDriver {
  /** Names the pool in messages. */
  readonly name: string
  open(): Promise<RowSession>
  /** Whether values of an arrived type can be read as a planned one. */
  fits(planned: DataType, arrived: ArrivedColumn): boolean
  /** What `columnBuilder` takes for a text of the planned type. */
  decode(text: string, planned: DataType): unknown
  /** A temporary error: the statement is tried again, as long as no row was returned. */
  isTransient(error: unknown): boolean
  /** The database itself stopped the statement, after the time limit of the connection. */
  ranOutOfTime?(error: unknown): boolean
  /** Why the engine refused the statement, if it is one of the reasons that all engines know. */
  statementFault?(error: unknown): StatementFault | undefined
  /** The engine's own message as one line, without secrets. */
  message(error: unknown): string
  readonly explain: { readonly prefix: string; readonly format: 'text' | 'json' }
  /** A statement of one row with the session's time zone in one of its columns, the first by default. */
  readonly timezone: string | { readonly sql: string; readonly column: number }
  /** Throws if the session cannot answer a statement correctly. */
  refuse?(sql: string, session: RowSession): void
  introspect(rows: (sql: string) => Promise<readonly TextRow[]>): Promise<readonly IntrospectedTable[]>
  /** As in `VendorConnection`; `columns` runs a statement and returns its announced columns. */
  columnTypes?(
    sources: readonly string[],
    rows: (sql: string) => Promise<readonly TextRow[]>,
    columns: (sql: string) => Promise<readonly ArrivedColumn[]>,
  ): Promise<readonly (readonly TypedColumn[] | undefined)[]>
}

/** The pool of a connection over a driver of rows. */
export interface RowConnectionOptions {
  readonly poolSize: number
  /** Longest wait for a connection, in milliseconds. */
  readonly waitMs: number
  readonly logger: Logger
  /** How long a database may take to stop a statement, or to reset a connection, before the connection is dropped; in milliseconds. */
  readonly graceMs?: number
}

/** The retries after the first try: the pause before each in milliseconds. */
const PAUSES = [50, 250]
/** How often a cancel request is sent to the database. */
const CANCEL_AGAIN_MS = 100
const GRACE_MS = 5000

/** A vendor's connection over a driver of rows: a pool, retries, time limits, cancellation, and batches. */
export function connectRows(
  driver: RowDriver,
  { poolSize, waitMs, logger, graceMs = GRACE_MS }: RowConnectionOptions,
): VendorConnection {
  const closing = new AbortController()
  const pool = createPool<RowSession>({
    name: driver.name,
    size: poolSize,
    waitMs,
    open: () => driver.open(),
    close: (session) => session.close(),
  })
  const close = async () => {
    closing.abort(new GrainlineError('QUERY_CANCELLED', 'The query was cancelled because the database is being closed'))
    await pool.close()
  }
  return askedBy({ driver, pool, logger, graceMs, closing: closing.signal, close })
}

interface Shared extends Running {
  readonly closing: AbortSignal
  readonly close: () => Promise<void>
}

/** The client; without one, the server itself. */
function askedBy(shared: Shared, client?: string): VendorConnection {
  const { driver, closing, close } = shared
  const running: Running = { ...shared, ...(client !== undefined && { client }) }
  const run = (sql: string, { signal, timeoutMs, ...query }: VendorQuery): AsyncIterable<RecordBatch> =>
    cancellable({ signals: [signal, closing], timeoutMs }, (stop, reader) => batches(running, { sql, reader, ...query }, stop))
  /** The answers of our own small statements. */
  const texts = async (sql: string, announce: Asked['announce'] = () => {}): Promise<readonly TextRow[]> => {
    const found: TextRow[] = []
    for await (const rows of attempts(running, { sql, announce }, closing)) {
      if (!isBatch(rows)) found.push(...rows)
    }
    return found
  }
  const announced = async (sql: string): Promise<readonly ArrivedColumn[]> => {
    const found: ArrivedColumn[] = []
    await texts(sql, (columns) => found.push(...columns))
    return found
  }
  const { columnTypes } = driver
  return {
    forClient: (name) => askedBy(shared, name),
    query: run,
    async check(sql) {
      try {
        await texts(`${driver.explain.prefix} ${sql}`)
        return { valid: true }
      } catch (error) {
        // An unreachable database says nothing about a statement.
        if (!isOpinion(error, driver)) throw error
        return { valid: false, message: error instanceof Error ? error.message : String(error) }
      }
    },
    async explain(sql) {
      const rows = await texts(`${driver.explain.prefix} ${sql}`)
      return { format: driver.explain.format, output: rows.map((row) => row.join(' ')).join('\n') }
    },
    async timezone() {
      const { sql, column } = typeof driver.timezone === 'string' ? { sql: driver.timezone, column: 0 } : driver.timezone
      return (await texts(sql))[0]?.[column] ?? 'UTC'
    },
    introspect: () => driver.introspect((sql) => texts(sql)),
    ...(columnTypes && { columnTypes: (sources) => columnTypes(sources, (sql) => texts(sql), announced) }),
    close,
  }
}

interface Running {
  readonly driver: RowDriver
  readonly pool: ConnectionPool<RowSession>
  readonly logger: Logger
  readonly graceMs: number
  readonly client?: string
}

async function* batches(
  running: Running,
  { sql, schema, started, reader }: Omit<VendorQuery, 'signal' | 'timeoutMs'> & Pick<Asked, 'sql' | 'reader'>,
  signal: AbortSignal,
): AsyncGenerator<RecordBatch, void> {
  const { driver } = running
  const announce = (columns: readonly ArrivedColumn[]): void => checkColumns(columns, schema, driver)
  for await (const rows of attempts(running, { sql, reader, announce, planned: schema, ...(started && { started }) }, signal)) {
    if (isBatch(rows)) {
      yield rows
      continue
    }
    const values = rows.map((row) => row.map((text, i) => (text === null ? null : driver.decode(text, schema[i]!.type))))
    if (rows.length > 0) yield batchFromRows(schema, values)
  }
}

const isBatch = (portion: Portion): portion is RecordBatch => !Array.isArray(portion)

/** What a session is asked. */
interface Asked {
  readonly sql: string
  readonly announce: (columns: readonly ArrivedColumn[]) => void
  readonly planned?: ResultSchema
  readonly started?: () => void
  readonly reader?: AnswerReader | undefined
}

/** Runs a statement, and again if a temporary error occurred before the first row. */
async function* attempts(running: Running, asked: Asked, signal: AbortSignal): AsyncGenerator<Portion, void> {
  const { driver, logger } = running
  for (let tries = 0; ; tries++) {
    let delivered = false
    try {
      for await (const rows of once(running, asked, signal)) {
        delivered = true
        yield rows
      }
      return
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const pause = PAUSES[tries]
      if (delivered || pause === undefined || !driver.isTransient(error)) throw refusal(error, driver, asked.planned)
      logger.warn({ error: ownWords(error), tries: tries + 1 }, 'the statement is tried again')
      await wait(pause)
    }
  }
}

async function* once(
  { driver, pool, graceMs, client }: Running,
  { sql, announce, planned, started, reader }: Asked,
  signal: AbortSignal,
): AsyncGenerator<Portion, void> {
  const session = await usableOf(pool, () => pool.acquire(signal, client, reader))
  started?.()
  const stopping = cancelOnAbort(session, signal, graceMs)
  try {
    signal.throwIfAborted()
    driver.refuse?.(sql, session)
    yield* session.rows(sql, announce, planned)
  } finally {
    await stopping.end()
    // The reader need not wait for it.
    void giveBack(pool, session, graceMs)
  }
}

/** The connection is returned reset, or dropped. */
async function giveBack(pool: ConnectionPool<RowSession>, session: RowSession, graceMs: number): Promise<void> {
  const restored = session.usable && session.restore !== undefined ? await within(graceMs, session.restore()) : 'done'
  if (restored !== 'done') session.destroy()
  await pool.release(session, session.usable ? 'healthy' : 'broken').catch(() => {})
}

/** The result of some work; work that takes longer is abandoned. */
async function within(ms: number, work: Promise<unknown>): Promise<'done' | 'failed' | 'late'> {
  const over = new AbortController()
  const settled = work.then(
    () => 'done' as const,
    () => 'failed' as const,
  )
  const late = wait(ms, 'late' as const, { signal: over.signal }).catch(() => 'late' as const)
  return Promise.race([settled, late]).finally(() => over.abort())
}

/** Connections that were lost while idle are not an error of the next statement. */
async function usableOf(pool: ConnectionPool<RowSession>, acquire: () => Promise<RowSession>): Promise<RowSession> {
  for (;;) {
    const session = await acquire()
    if (session.usable) return session
    await pool.release(session, 'broken')
  }
}

/** Sends cancel requests until the statement stops; if the database does not react, the connection is dropped. */
function cancelOnAbort(session: RowSession, signal: AbortSignal, graceMs: number): { readonly end: () => Promise<void> } {
  const ended = new AbortController()
  let cancelling: Promise<void> | undefined
  const cancel = async (): Promise<void> => {
    const begun = performance.now()
    while (!ended.signal.aborted) {
      if (performance.now() - begun > graceMs) return session.destroy()
      // Waits for it also if the statement has ended meanwhile. A cancel request that arrives later would stop the next statement, or the
      // reset, so there is no next one.
      if ((await within(graceMs, session.cancel())) === 'late') return session.destroy()
      await wait(CANCEL_AGAIN_MS, undefined, { signal: ended.signal }).catch(() => {})
    }
  }
  const onAbort = (): void => {
    cancelling = cancel()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    async end() {
      signal.removeEventListener('abort', onAbort)
      ended.abort()
      await cancelling
    },
  }
}

function checkColumns(columns: readonly ArrivedColumn[], schema: ResultSchema, driver: RowDriver): void {
  if (columns.length !== schema.length)
    fail('RESULT_TYPE_MISMATCH', `The database returns ${columns.length} columns; ${schema.length} are planned`)
  for (const [i, { name, type }] of schema.entries()) {
    if (driver.fits(type, columns[i]!)) continue
    const arrived = String(columns[i]!.type)
    fail('RESULT_TYPE_MISMATCH', `'${name}' is planned as ${formatDataType(type)} and arrives as the type ${arrived}`, {
      path: name,
    })
  }
}

const OPINIONS: ReadonlySet<string> = new Set(['DATABASE_ERROR', 'NUMERIC_OVERFLOW', 'UNSUPPORTED_FUNCTION', 'TREE_TOO_DEEP'])

const isOpinion = (error: unknown, driver: RowDriver): boolean =>
  error instanceof GrainlineError && OPINIONS.has(error.code) && !driver.isTransient(error.cause)

function refusal(error: unknown, driver: RowDriver, schema: ResultSchema = []): unknown {
  if (error instanceof GrainlineError) return error
  const message = driver.message(error)
  const fault = isTooDeep(message) ? 'tree-too-deep' : driver.statementFault?.(error)
  if (fault) return statementError(fault, message, schema, error)
  if (driver.ranOutOfTime?.(error)) return new GrainlineError('QUERY_TIMEOUT', message, { cause: error, hint: OUT_OF_TIME })
  const lost = message === CONNECTION_LOST && { hint: UNREACHED }
  return new GrainlineError('DATABASE_ERROR', message, { cause: error, ...lost })
}

const OUT_OF_TIME = 'Narrow the question; the operator may raise statementTimeoutMs of the connection.'
const UNREACHED =
  'Ask again. If it fails again, the operator checks that the database is running, and the address of the connection; the log says which address did not answer.'
