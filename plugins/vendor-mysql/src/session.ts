import { GrainlineError, type Logger } from '@grainline/core'
import type { ArrivedColumn, RowSession, TextRow } from '@grainline/core/vendor'
import type { Connection, FieldPacket } from 'mysql2'
import type { Driver } from './driver.js'
import { engineMessage, isLost } from './errors.js'
import type { MysqlPlan } from './options.js'

/** Rows handed on at once. */
const CHUNK = 2000
const CONNECT_MS = 10_000

export interface MysqlSession extends RowSession {
  /** CONVERT_TZ returns NULL without the time zone tables. */
  readonly knowsZones: boolean
}

/** A read-only connection in UTC. Throws `VENDOR_UNAVAILABLE` if the database cannot be reached or refuses it. */
export async function openSession(plan: MysqlPlan, driver: Driver, logger: Logger): Promise<MysqlSession> {
  const connection = await connected(plan, driver)
  const knowsZones = await prepare(connection, plan)
  let usable = true
  const lost = (error?: unknown): void => {
    if (usable && error !== undefined) logger.warn({ error: engineMessage(error) }, 'a connection was lost')
    usable = false
  }
  connection.on('error', lost)
  connection.on('end', () => lost())
  if (!knowsZones) logger.warn({}, 'the time zone tables of the server are empty: questions in a time zone are refused')

  async function* rows(
    sql: string,
    announce: (columns: readonly ArrivedColumn[]) => void,
  ): AsyncGenerator<readonly TextRow[], void> {
    const answer = arriving(connection, sql)
    try {
      for (let first = true; ; first = false) {
        const chunk = await answer.next()
        if (first) announce(answer.columns())
        if (chunk.length === 0) return
        yield chunk
      }
    } catch (error) {
      if (isLost(error)) usable = false
      throw error
    } finally {
      // The protocol ends only with the last row: the rest of a long answer is stopped in the database and discarded.
      if (usable) await answer.abandon(cancel)
    }
  }

  /** From another connection, because there is no other way. */
  async function cancel(): Promise<void> {
    const other = await connected(plan, driver)
    try {
      await run(other, `KILL QUERY ${connection.threadId}`)
    } catch (error) {
      // It may have been sent and still arrive: it would stop the next statement of the connection.
      if (isLost(error)) usable = false
      throw error
    } finally {
      other.end(() => {})
    }
  }

  return {
    knowsZones,
    rows,
    cancel,
    /** https://dev.mysql.com/doc/c-api/8.4/en/mysql-reset-connection.html */
    async restore() {
      await new Promise<void>((resolve, reject) => connection.reset((error) => (error ? reject(error) : resolve())))
      for (const statement of settingsOf(plan)) await run(connection, statement)
    },
    get usable() {
      return usable
    },
    destroy() {
      usable = false
      connection.destroy()
    },
    async close() {
      if (!usable) return connection.destroy()
      await new Promise<void>((resolve) => connection.end(() => resolve()))
    },
  }
}

const run = (connection: Connection, sql: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    connection.query({ sql, rowsAsArray: true }, (error, rows) => (error ? reject(error) : resolve(rows)))
  })

function connected(plan: MysqlPlan, { createConnection }: Driver): Promise<Connection> {
  const connection = createConnection({
    ...plan.client,
    charset: 'utf8mb4',
    connectTimeout: CONNECT_MS,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
  })
  return new Promise((resolve, reject) => {
    connection.on('error', () => {})
    connection.connect((cause) => {
      if (!cause) return resolve(connection)
      connection.destroy()
      if (isLost(cause)) return reject(cause)
      const message = `The database '${plan.name}' cannot be connected to: ${engineMessage(cause)}`
      reject(new GrainlineError('VENDOR_UNAVAILABLE', message, { cause }))
    })
  })
}

/** True if the server knows time zones. */
async function prepare(connection: Connection, plan: MysqlPlan): Promise<boolean> {
  for (const statement of settingsOf(plan)) await run(connection, statement)
  const [row] = (await run(connection, "SELECT CONVERT_TZ('2024-07-01 00:00:00', 'UTC', 'Europe/Paris') IS NOT NULL")) as [
    readonly [unknown],
  ]
  return Number(row[0]) === 1
}

/** Settings of a server on which an answer depends, with the values for which the dialect is written. */
const SETTINGS: Readonly<Record<string, string>> = {
  time_zone: "'+00:00'",
  // A limit that an operator has set would shorten an answer without an error.
  sql_select_limit: '18446744073709551615',
  group_concat_max_len: '4294967295',
  // Decimal places that a quotient and an average gain.
  div_precision_increment: '4',
  max_sort_length: 'CAST(GREATEST(@@SESSION.max_sort_length, 1024) AS SIGNED)',
}
const ONLY: Readonly<Record<MysqlPlan['dialect'], Readonly<Record<string, string>>>> = {
  // Sums of doubles in a window that moves are otherwise kept by subtracting.
  mysql: { sql_mode: "'ONLY_FULL_GROUP_BY,NO_ENGINE_SUBSTITUTION'", windowing_use_high_precision: '1' },
  mariadb: {
    // ONLY_FULL_GROUP_BY refuses a grouped expression that is selected twice.
    sql_mode: "'NO_ENGINE_SUBSTITUTION'",
    // What a subquery gave for a text it would give for each text that the collation of the column takes for equal, whatever its own comparison says.
    optimizer_switch: "'subquery_cache=off'",
  },
}

/** Comparisons by a collation have their own, so that the one of the connection says nothing. */
function settingsOf({ dialect, statementTimeoutMs: ms }: MysqlPlan): readonly string[] {
  const settings = Object.entries({ ...SETTINGS, ...ONLY[dialect] }).map(([name, value]) => `${name} = ${value}`)
  return [
    'SET NAMES utf8mb4',
    `SET SESSION ${settings.join(', ')}`,
    'SET SESSION TRANSACTION READ ONLY',
    ...(ms === undefined
      ? []
      : [dialect === 'mysql' ? `SET SESSION max_execution_time = ${ms}` : `SET SESSION max_statement_time = ${ms / 1000}`]),
  ]
}

/** The rows of a statement, read from the wire on demand. */
function arriving(connection: Connection, sql: string) {
  let columns: readonly ArrivedColumn[] = []
  let rows: TextRow[] = []
  let ended = false
  let abandoned = false
  let failure: unknown
  let wake = (): void => {}
  const query = connection.query({ sql, rowsAsArray: true, typeCast: (field) => field.string('utf8') as never })
  query.on('fields', (fields: FieldPacket[]) => {
    columns = fields.map(({ name, columnType }) => ({ name, type: columnType ?? 0 }))
  })
  query.on('result', (row) => {
    if (abandoned) return
    rows.push(row as unknown as TextRow)
    if (rows.length < CHUNK) return
    connection.pause()
    wake()
  })
  const end = (error?: unknown): void => {
    if (ended) return
    failure = error
    ended = true
    connection.off('error', end).off('end', lost)
    wake()
  }
  const lost = (): void => end(Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST' }))
  query.on('error', end)
  query.on('end', () => end())
  // A query without a callback gets no error when its connection is lost.
  connection.on('error', end).on('end', lost)
  const news = async (): Promise<void> => {
    const coming = new Promise<void>((resolve) => {
      wake = resolve
    })
    connection.resume()
    await coming
  }
  return {
    columns: () => columns,
    /** Some rows; none at the end. */
    async next(): Promise<readonly TextRow[]> {
      while (rows.length < CHUNK && !ended) await news()
      if (failure !== undefined) throw failure
      const chunk = rows
      rows = []
      return chunk
    },
    async abandon(cancel: () => Promise<void>): Promise<void> {
      abandoned = true
      if (!ended) await Promise.all([news(), cancel().catch(() => {})])
    },
  }
}
