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
  /** Lets go of a half-read answer. Throws when the connection is of no use any more. */
  settle(): Promise<void>
  close(): void
  /** `close` waits for this, but no request does: closing a running statement would block the event loop. */
  closeAfter(rest: Promise<unknown>): void
}

export async function openSession(database: Database, driver: Driver): Promise<Session> {
  const { bindings } = driver
  const connection: Connection = await database.connect()
  const [begin, rollback, probe, crowded] = await Promise.all(
    ['BEGIN', 'ROLLBACK', 'SELECT 1', CROWDED].map((sql) => bindings.prepare(connection, sql)),
  )
  const prepared = new PreparedStatements(connection, bindings)
  let inTransaction = false
  /** The statement whose answer was not read to its end. */
  let unread: string | undefined
  let busy: Promise<unknown> | undefined

  async function settle(): Promise<void> {
    if (!inTransaction) return
    await bindings.execute_prepared(rollback!)
    // Said when it is so: an interrupt that meets ROLLBACK leaves the transaction open, or not, and a second try tells.
    inTransaction = false
    // It holds what it had made so far, however much that is.
    if (unread !== undefined) prepared.forget(unread)
    unread = undefined
  }

  /**
   * A stream that fails ends like one that is used up, and the driver does not tell the error (duckdb_result_error is not exposed). But an
   * error spoils the transaction around it, which the next statement notices. Its text comes from running the statement once more.
   */
  async function finish(sql: string): Promise<void> {
    // What it holds after its first run it holds after the next, too.
    const isFirst = !prepared.hasRun(sql)
    const rows = await bindings.execute_prepared(isFirst ? crowded! : probe!).then(
      (result) => bindings.row_count(result),
      () => undefined,
    )
    if (rows !== undefined) unread = undefined
    await settle()
    noteRun(sql, isFirst && rows === 1)
    if (rows !== undefined) return
    await bindings.execute_prepared(await prepare(sql)).finally(() => prepared.forget(sql))
    fail('DATABASE_ERROR', 'The database failed while it delivered the answer')
  }

  function noteRun(sql: string, isCrowded: boolean): void {
    if (isCrowded) prepared.forgetAll()
    else prepared.noteRun(sql)
  }

  /** After its first run the memory of a statement is known. */
  async function noteAnswer(sql: string): Promise<void> {
    if (prepared.hasRun(sql)) return
    noteRun(sql, bindings.row_count(await bindings.execute_prepared(crowded!)) === 1)
  }

  async function prepare(sql: string): Promise<PreparedStatement> {
    const known = prepared.find(sql)
    if (known !== undefined) return known
    await refuseActing(sql, connection, driver)
    const statement = await prepared.make(sql)
    if (bindings.prepared_statement_type(statement) === bindings.StatementType.SELECT) return statement
    prepared.forget(sql)
    fail('DATABASE_ERROR', 'Only SELECT statements are run here')
  }

  function closeNow(): void {
    prepared.forgetAll()
    bindings.disconnect_sync(connection)
  }

  return {
    prepare,
    async start(sql) {
      const statement = await prepare(sql)
      // Said before it is so: an interrupt that meets BEGIN throws, although the transaction has begun.
      inTransaction = true
      await bindings.execute_prepared(begin!)
      unread = sql
      return new Running(await bindings.execute_prepared_streaming(statement), () => finish(sql))
    },
    async answer(sql) {
      const statement = await prepare(sql)
      try {
        return new Running(await bindings.execute_prepared(statement), () => noteAnswer(sql))
      } catch (error) {
        // It holds what it had made so far, however much that is.
        prepared.forget(sql)
        throw error
      }
    },
    async explain(sql) {
      await prepare(sql)
      return new Running(await bindings.query(connection, `EXPLAIN ${sql}`), async () => {})
    },
    interrupt: () => bindings.interrupt(connection),
    settle,
    close() {
      if (busy === undefined) closeNow()
      else void busy.then(closeNow)
    },
    closeAfter(rest) {
      busy = rest
    },
  }
}
