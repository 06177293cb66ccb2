import { randomUUID } from 'node:crypto'
import type { ArrivedColumn, RowSession, TextRow } from '@grainline/core/vendor'
import { rowOf } from './decode.js'
import type { Driver } from './driver.js'
import { writtenFault } from './errors.js'
import type { ClickhousePlan } from './options.js'
import { SETTINGS } from './settings.js'

/** The driver's own limit of 30 s between two bytes would end long questions; this is the longest that a timer knows. */
const NO_LIMIT_MS = 2_147_483_647

/** Read-only, but the settings of a statement may still be changed: https://clickhouse.com/docs/operations/settings/permissions-for-queries */
const READS_ONLY = '2'

/** The server's default limit for parsing a statement: https://clickhouse.com/docs/operations/settings/settings#max_query_size */
const PARSED_BYTES = 262_144
/** The driver adds the format of the answer to a statement. */
const ADDED_BYTES = 1024

type Client = ReturnType<Driver['createClient']>

/** One place of the pool: HTTP has no connection with state, so each statement sends its settings and its own name. */
export function openSession(plan: ClickhousePlan, driver: Driver): RowSession {
  const client = driver.createClient({
    url: plan.url,
    database: plan.database,
    username: plan.user,
    password: plan.password,
    application: 'grainline',
    request_timeout: NO_LIMIT_MS,
    // One for the statement, one to stop it.
    max_open_connections: 2,
    log: { level: driver.ClickHouseLogLevel.OFF },
    ...(plan.tls !== undefined && { tls: plan.tls }),
  })
  const settings = {
    readonly: READS_ONLY,
    ...SETTINGS,
    ...(plan.statementTimeoutMs !== undefined && { max_execution_time: plan.statementTimeoutMs / 1000 }),
  } as const
  let usable = true
  let running: string | undefined
  let abort = new AbortController()

  async function* rows(
    sql: string,
    announce: (columns: readonly ArrivedColumn[]) => void,
  ): AsyncGenerator<readonly TextRow[], void> {
    abort = new AbortController()
    running = randomUUID()
    let ended = false
    try {
      const lines = linesOf(
        await ask(client, sql, {
          query_id: running,
          abort_signal: abort.signal,
          clickhouse_settings: { ...settings, ...roomFor(sql) },
        }),
      )
      yield* rowsOf(lines, announce)
      ended = true
    } catch (error) {
      ended = true
      throw error
    } finally {
      // An abandoned statement runs on in the database until it is cancelled.
      if (!ended) await cancel().catch(() => {})
      abort.abort()
      running = undefined
    }
  }

  async function cancel(): Promise<void> {
    if (running === undefined) return
    // https://clickhouse.com/docs/sql-reference/statements/kill#kill-query
    await client.command({ query: `KILL QUERY WHERE query_id = '${running}' ASYNC` })
  }

  return {
    rows,
    cancel,
    get usable() {
      return usable
    },
    destroy() {
      usable = false
      abort.abort()
      client.close().catch(() => {})
    },
    async close() {
      usable = false
      await client.close()
    },
  }
}

/** The setting that lets the server parse a long statement. */
function roomFor(sql: string): { readonly max_query_size?: string } {
  const bytes = Buffer.byteLength(sql) + ADDED_BYTES
  return bytes < PARSED_BYTES ? {} : { max_query_size: String(bytes) }
}

type AskOptions = Omit<Parameters<Client['query']>[0], 'query' | 'format'>

async function ask(client: Client, query: string, options: AskOptions) {
  return client.query({ ...options, query, format: 'TabSeparatedWithNamesAndTypes' })
}

type Answer = Awaited<ReturnType<typeof ask>>

/** The lines of an answer, some at a time, read from the wire on demand. */
async function* linesOf(answer: Answer): AsyncGenerator<readonly string[], void> {
  const tellsFaults = 'x-clickhouse-exception-tag' in answer.response_headers
  for await (const chunk of answer.stream()) {
    const lines = chunk.map(({ text }) => text)
    const fault = tellsFaults ? undefined : lines.map(writtenFault).find((found) => found !== undefined)
    if (fault) throw fault
    yield lines
  }
}

async function* rowsOf(
  chunks: AsyncGenerator<readonly string[], void>,
  announce: (columns: readonly ArrivedColumn[]) => void,
): AsyncGenerator<readonly TextRow[], void> {
  let head: TextRow[] | undefined = []
  for await (const lines of chunks) {
    const rows = lines.map(rowOf)
    if (head !== undefined) {
      head.push(...rows.splice(0, 2 - head.length))
      if (head.length < 2) continue
      const [names, types] = head as [TextRow, TextRow]
      announce(names.map((name, i) => ({ name: name!, type: types[i]! })))
      head = undefined
    }
    if (rows.length > 0) yield rows
  }
}
