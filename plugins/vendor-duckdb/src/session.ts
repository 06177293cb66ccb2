import type { Connection, PreparedStatement, Result } from '@duckdb/node-bindings'
import { fail } from '@grainline/core'
import { refuseActing } from './acting-functions.js'
import type { Database } from './database.js'
import type { Driver } from './driver.js'

/** Statements that a connection keeps ready: preparing costs more than running a small one. */
const MOST_PREPARED = 64

export interface Running {
  readonly result: Result
  /** To be called when no row is left. Throws when the statement ended with an error. */
  readonly finish: () => Promise<void>
}

/** One connection of the pool. It does one thing at a time. */
export interface Session {
  /** Plans a statement, or finds it planned. Only SELECT statements are accepted. */
  prepare(sql: string): Promise<PreparedStatement>
  /** Starts a statement; its rows are made as they are fetched. */
  start(sql: string): Promise<Running>
  /** The plan of a statement, which is not run. */
  explain(sql: string): Promise<Running>
  /** Stops what runs. Does nothing to a connection at rest. */
  interrupt(): void
  /** Lets go of a half-read answer. Throws when the connection is of no use any more. */
  settle(): Promise<void>
  close(): void
  /** `close` waits for this, and no request waits for it: closing what works would hold the event loop. */
  closeAfter(rest: Promise<unknown>): void
}

export async function openSession(database: Database, driver: Driver): Promise<Session> {
  const { bindings } = driver
  const connection: Connection = await database.connect()
  const [begin, rollback, probe] = await Promise.all(
    ['BEGIN', 'ROLLBACK', 'SELECT 1'].map((sql) => bindings.prepare(connection, sql)),
  )
  const prepared = new Map<string, PreparedStatement>()
  let inTransaction = false
  let busy: Promise<unknown> | undefined

  async function settle(): Promise<void> {
    if (!inTransaction) return
    await bindings.execute_prepared(rollback!)
    // Said when it is so: an interrupt that meets ROLLBACK leaves the transaction open, or not, and a second try tells.
    inTransaction = false
  }

  /**
   * A stream that fails ends like one that is used up, and the driver does not tell the error (duckdb_result_error is not exposed). But an
   * error spoils the transaction around it, which the next statement notices. Its text comes from running the statement once more.
   */
  async function finish(sql: string): Promise<void> {
    const failed = await bindings.execute_prepared(probe!).then(
      () => false,
      () => true,
    )
    await settle()
    if (!failed) return
    await bindings.execute_prepared(await prepare(sql))
    fail('DATABASE_ERROR', 'The database failed while it delivered the answer')
  }

  async function prepare(sql: string): Promise<PreparedStatement> {
    const known = prepared.get(sql)
    if (known === undefined) await refuseActing(sql, connection, driver)
    const statement = known ?? (await bindings.prepare(connection, sql))
    if (bindings.prepared_statement_type(statement) !== bindings.StatementType.SELECT) {
      bindings.destroy_prepare_sync(statement)
      fail('DATABASE_ERROR', 'Only SELECT statements are run here')
    }
    // The most recently used statement stands last.
    prepared.delete(sql)
    prepared.set(sql, statement)
    if (prepared.size > MOST_PREPARED) forgetOldest()
    return statement
  }

  function closeNow(): void {
    while (prepared.size > 0) forgetOldest()
    bindings.disconnect_sync(connection)
  }

  function forgetOldest(): void {
    const [oldest] = prepared
    if (oldest === undefined) return
    prepared.delete(oldest[0])
    bindings.destroy_prepare_sync(oldest[1])
  }

  return {
    prepare,
    async start(sql) {
      const statement = await prepare(sql)
      // Said before it is so: an interrupt that meets BEGIN throws, although the transaction has begun.
      inTransaction = true
      await bindings.execute_prepared(begin!)
      return { result: await bindings.execute_prepared_streaming(statement), finish: () => finish(sql) }
    },
    async explain(sql) {
      await prepare(sql)
      return { result: await bindings.query(connection, `EXPLAIN ${sql}`), finish: async () => {} }
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
