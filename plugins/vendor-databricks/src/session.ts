import { setTimeout as wait } from 'node:timers/promises'
import { type ArrivedColumn, type RowSession, recordsOf, type TextRow } from '@grainline/core/vendor'
import type { Client, Driver, Operation, Session } from './driver.js'
import { isLost } from './errors.js'
import type { DatabricksPlan } from './options.js'
import { asTexts, describing, isQuery } from './statement.js'

const CLOSE_AT_MOST_MS = 2000

/** Rows of one request. */
const ROWS = 10_000

/** Status requests for a running statement are retried twice at once, so that a lost warehouse is reported soon. */
const RETRIES = { retryMaxAttempts: 3, retryDelayMin: 100, retryDelayMax: 1000 }

/** https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-parameters */
const settings = (timeoutMs: number | undefined): string[] => [
  "SET TIME ZONE 'UTC'",
  'SET ANSI_MODE = true',
  ...(timeoutMs === undefined ? [] : [`SET STATEMENT_TIMEOUT = ${Math.ceil(timeoutMs / 1000)}`]),
]

export async function openSession(plan: DatabricksPlan, driver: Driver): Promise<RowSession> {
  const client = new driver.DBSQLClient({ logger: { log() {} } })
  try {
    await client.connect(connectionOf(plan))
    const session = await client.openSession({
      ...(plan.catalog !== undefined && { initialCatalog: plan.catalog }),
      ...(plan.schema !== undefined && { initialSchema: plan.schema }),
    })
    const opened = sessionOf(client, session, plan)
    for (const sql of settings(plan.statementTimeoutMs)) for await (const _ of opened.rows(sql, () => {}));
    return opened
  } catch (error) {
    await client.close().catch(() => {})
    throw error
  }
}

const connectionOf = ({ host, port, path, access, tls }: DatabricksPlan): Readonly<Record<string, unknown>> => ({
  host,
  port,
  path,
  userAgentEntry: 'grainline',
  telemetryEnabled: false,
  ...RETRIES,
  ...(tls.ca !== undefined && { customCaCert: tls.ca }),
  ...(tls.cert !== undefined && { clientCert: tls.cert }),
  ...(tls.key !== undefined && { clientKey: tls.key }),
  ...('token' in access
    ? { authType: 'access-token', token: access.token }
    : { authType: 'databricks-oauth', oauthClientId: access.clientId, oauthClientSecret: access.clientSecret }),
})

function sessionOf(client: Client, session: Session, plan: DatabricksPlan): RowSession {
  const givenUp = new AbortController()
  const orGone = <T>(answer: Promise<T>): Promise<T> => unlessAborted(answer, givenUp.signal)
  let usable = true
  let running: Operation | undefined
  let cancelled = false

  /** The rows of one statement, a request at a time. */
  async function* texts(sql: string): AsyncGenerator<readonly TextRow[], void> {
    const { statementTimeoutMs } = plan
    const operation = await orGone(
      session.executeStatement(sql, {
        maxRows: ROWS,
        // From the host that was named, and from no storage elsewhere.
        useCloudFetch: false,
        ...(statementTimeoutMs !== undefined && { queryTimeout: Math.ceil(statementTimeoutMs / 1000) }),
      }),
    )
    running = operation
    let ended = false
    try {
      do {
        const rows = await orGone(operation.fetchChunk({ maxRows: ROWS, disableBuffering: true }))
        if (rows.length > 0) yield rows.map((row) => Object.values(row) as TextRow)
      } while (await orGone(operation.hasMoreRows()))
      ended = true
    } catch (error) {
      ended = true
      throw error
    } finally {
      // An abandoned statement runs on in the database until it is cancelled.
      if (!ended) await orGone(operation.cancel()).catch(() => {})
      await orGone(operation.close()).catch(() => {})
      running = undefined
    }
  }

  async function described(sql: string): Promise<readonly ArrivedColumn[]> {
    const columns: ArrivedColumn[] = []
    for await (const rows of texts(describing(sql))) columns.push(...recordsOf(rows, ['name', 'type']))
    return columns
  }

  async function* rows(
    sql: string,
    announce: (columns: readonly ArrivedColumn[]) => void,
  ): AsyncGenerator<readonly TextRow[], void> {
    cancelled = false
    try {
      if (!isQuery(sql)) return yield* texts(sql)
      const columns = await described(sql)
      announce(columns)
      if (!cancelled) yield* texts(asTexts(sql, columns))
    } catch (error) {
      if (isLost(error)) usable = false
      throw error
    }
  }

  return {
    rows,
    async cancel() {
      cancelled = true
      await running?.cancel()
    },
    get usable() {
      return usable
    },
    destroy() {
      usable = false
      givenUp.abort(new Error('The connection was given up'))
      client.close().catch(() => {})
    },
    async close() {
      usable = false
      // It closes the session, too; a server that is still busy with a statement answers late.
      await Promise.race([client.close().catch(() => {}), wait(CLOSE_AT_MOST_MS, undefined, { ref: false })])
    },
  }
}

/** The driver waits for an answer without a limit; this does not wait for an abandoned connection. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
