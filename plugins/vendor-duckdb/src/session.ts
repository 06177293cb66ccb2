import type { Connection, PreparedStatement } from '@duckdb/node-bindings'
import { fail } from '@grainline/core'
import { refuseActing } from './acting-functions.js'
import type { Database } from './database.js'
import type { Driver } from './driver.js'
import { PreparedStatements } from './prepared-statements.js'
import { Running } from './running.js'

/** What statements at rest may hold of DuckDB's memory, over all connections, in bytes. */
const MOST_HELD = 32 * 1024 * 1024

/** Returns a row if statements hold more memory, including running ones, because they cannot be distinguished from idle ones. */
const CROWDED = `SELECT 1 FROM duckdb_memory()
  WHERE tag IN ('HASH_TABLE', 'COLUMN_DATA', 'ALLOCATOR', 'WINDOW', 'ORDER_BY', 'PARQUET_READER', 'CSV_READER', 'OVERFLOW_STRINGS')
  HAVING sum(memory_usage_bytes) > ${MOST_HELD}`

/** One connection of the pool. It does one thing at a time. */
export interface Session {
  /** Plans a statement, or finds it planned. Only SELECT statements are accepted. */
  prepare(sql: string): Promise<PreparedStatement>
  /** Starts a statement; its rows are computed while they are fetched. */
  start(sql: string): Promise<Running>
  /**
   * Makes all rows of a statement, which has ended when they are there. Where it fails, that is known at once, so that no transaction need tell
   * later whether it did.
   */
  answer(sql: string): Promise<Running>
  /** The plan of a statement, which is not run. */
  explain(sql: string): Promise<Running>
  /** Stops the running statement. Does nothing to an idle connection. */
  interrupt(): void
  /** Ends an answer that was not read to its end. Throws if the connection cannot be used again. */
  settle(): Promise<void>
  close(): void
  /** `close` waits for this, but no request does: closing a running statement would block the event loop. */
  closeAfter(rest: Promise<unknown>): void
}

export async function openSession(database: Database, driver: Driver): Promise<Session> {
  const connection: Connection = await database.connect()
  const [begin, rollback, probe, crowded] = await Promise.all(
    ['BEGIN', 'ROLLBACK', 'SELECT 1', CROWDED].map((sql) => driver.bindings.prepare(connection, sql)),
  )
  return new DuckdbSession(connection, driver, { begin: begin!, rollback: rollback!, probe: probe!, crowded: crowded! })
}

type OwnStatements = Readonly<Record<'begin' | 'rollback' | 'probe' | 'crowded', PreparedStatement>>

class DuckdbSession implements Session {
  readonly #connection: Connection
  readonly #driver: Driver
  readonly #own: OwnStatements
  readonly #prepared: PreparedStatements
  #inTransaction = false
  /** The statement whose answer was not read to its end. */
  #unread: string | undefined
  #busy: Promise<unknown> | undefined

  constructor(connection: Connection, driver: Driver, own: OwnStatements) {
    this.#connection = connection
    this.#driver = driver
    this.#own = own
    this.#prepared = new PreparedStatements(connection, driver.bindings)
  }

  async prepare(sql: string): Promise<PreparedStatement> {
    const known = this.#prepared.find(sql)
    if (known !== undefined) return known
    const { bindings } = this.#driver
    await refuseActing(sql, this.#connection, this.#driver)
    const statement = await this.#prepared.make(sql)
    if (bindings.prepared_statement_type(statement) === bindings.StatementType.SELECT) return statement
    this.#prepared.forget(sql)
    fail('DATABASE_ERROR', 'Only SELECT statements are run here')
  }

  async start(sql: string): Promise<Running> {
    const { bindings } = this.#driver
    const statement = await this.prepare(sql)
    // Noted before BEGIN runs: an interrupt that arrives during BEGIN throws, although the transaction has begun.
    this.#inTransaction = true
    await bindings.execute_prepared(this.#own.begin)
    this.#unread = sql
    return new Running(await bindings.execute_prepared_streaming(statement), () => this.#finish(sql))
  }

  async answer(sql: string): Promise<Running> {
    const statement = await this.prepare(sql)
    try {
      return new Running(await this.#driver.bindings.execute_prepared(statement), () => this.#noteAnswer(sql))
    } catch (error) {
      // A failed statement keeps the memory of its partial answer.
      this.#prepared.forget(sql)
      throw error
    }
  }

  async explain(sql: string): Promise<Running> {
    await this.prepare(sql)
    return new Running(await this.#driver.bindings.query(this.#connection, `EXPLAIN ${sql}`), async () => {})
  }

  interrupt(): void {
    this.#driver.bindings.interrupt(this.#connection)
  }

  async settle(): Promise<void> {
    if (!this.#inTransaction) return
    await this.#driver.bindings.execute_prepared(this.#own.rollback)
    // Noted after ROLLBACK has run: an interrupt during ROLLBACK may leave the transaction open, and then this runs again.
    this.#inTransaction = false
    // A statement that was not read to its end keeps the memory of its partial answer.
    if (this.#unread !== undefined) this.#prepared.forget(this.#unread)
    this.#unread = undefined
  }

  close(): void {
    if (this.#busy === undefined) this.#closeNow()
    else void this.#busy.then(() => this.#closeNow())
  }

  closeAfter(rest: Promise<unknown>): void {
    this.#busy = rest
  }

  #closeNow(): void {
    this.#prepared.forgetAll()
    this.#driver.bindings.disconnect_sync(this.#connection)
  }

  /**
   * A stream that fails ends like one that is used up, and the driver does not tell the error (duckdb_result_error is not exposed). But an
   * error spoils the transaction around it, which the next statement notices. Its text comes from running the statement once more.
   */
  async #finish(sql: string): Promise<void> {
    const { bindings } = this.#driver
    // What it holds after its first run it holds after the next, too.
    const isFirst = !this.#prepared.hasRun(sql)
    const rows = await bindings.execute_prepared(isFirst ? this.#own.crowded : this.#own.probe).then(
      (result) => bindings.row_count(result),
      () => undefined,
    )
    if (rows !== undefined) this.#unread = undefined
    await this.settle()
    this.#noteRun(sql, isFirst && rows === 1)
    if (rows !== undefined) return
    await bindings.execute_prepared(await this.prepare(sql)).finally(() => this.#prepared.forget(sql))
    fail('DATABASE_ERROR', 'The database failed while it delivered the answer')
  }

  #noteRun(sql: string, isCrowded: boolean): void {
    if (isCrowded) this.#prepared.forgetAll()
    else this.#prepared.noteRun(sql)
  }

  /** After its first run the memory of a statement is known. */
  async #noteAnswer(sql: string): Promise<void> {
    if (this.#prepared.hasRun(sql)) return
    const { bindings } = this.#driver
    this.#noteRun(sql, bindings.row_count(await bindings.execute_prepared(this.#own.crowded)) === 1)
  }
}
