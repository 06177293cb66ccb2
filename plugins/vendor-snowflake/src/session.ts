import { GrainlineError } from '@grainline/core'
import type { ArrivedColumn, RowSession, TextRow } from '@grainline/core/vendor'
import { textOf } from './decode.js'
import type { Connection, Driver, Rows, Statement } from './driver.js'
import { engineMessage, isLost } from './errors.js'
import type { SnowflakePlan } from './options.js'

/** Rows handed on at once. */
const CHUNK = 2000

/** A session in UTC. Throws `VENDOR_UNAVAILABLE` if the account cannot be reached or refuses it. */
export async function openSession(plan: SnowflakePlan, driver: Driver): Promise<RowSession> {
  const connection = await connected(plan, driver)
  const gone = new AbortController()
  let usable = true
  let running: Statement | undefined
  let arriving: Rows | undefined

  const executed = (sqlText: string): Promise<Statement> =>
    new Promise((resolve, reject) => {
      const over = () => reject(gone.signal.reason)
      gone.signal.addEventListener('abort', over, { once: true })
      running = connection.execute({
        sqlText,
        streamResult: true,
        // A text that holds several is refused.
        parameters: { MULTI_STATEMENT_COUNT: 1 },
        complete(error, statement) {
          gone.signal.removeEventListener('abort', over)
          if (error) reject(error)
          else resolve(statement)
        },
      })
    })

  async function* rows(
    sql: string,
    announce: (columns: readonly ArrivedColumn[]) => void,
  ): AsyncGenerator<readonly TextRow[], void> {
    try {
      const statement = await executed(sql)
      // The answer is complete: nothing needs to be stopped.
      running = undefined
      announce((statement.getColumns() ?? []).map((column) => ({ name: column.getName(), type: column.getType() })))
      arriving = statement.streamRows()
      yield* inChunks(arriving)
    } catch (error) {
      if (isLost(error)) usable = false
      throw error
    } finally {
      running = undefined
      arriving = undefined
    }
  }

  try {
    for await (const _ of rows(settings(plan), () => {}));
  } catch (cause) {
    await closed(connection)
    throw isLost(cause) ? cause : refused(plan, cause)
  }
  return {
    rows,
    cancel: () =>
      new Promise((resolve, reject) => (running ? running.cancel((error) => (error ? reject(error) : resolve())) : resolve())),
    get usable() {
      return usable && connection.isUp()
    },
    destroy() {
      usable = false
      gone.abort(new Error('The connection was given up'))
      arriving?.destroy(gone.signal.reason)
      closed(connection).catch(() => {})
    },
    async close() {
      usable = false
      await closed(connection)
    },
  }
}

/** Rows on demand; the driver fetches a few portions of a long answer ahead. */
async function* inChunks(rows: Rows): AsyncGenerator<readonly TextRow[], void> {
  let chunk: TextRow[] = []
  for await (const row of rows) {
    chunk.push(row.map(textOf))
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

async function connected(plan: SnowflakePlan, driver: Driver): Promise<Connection> {
  const { address, accessUrl, applicationName, credentials } = plan
  const { user, account, ...where } = address
  // It writes a file into the working folder otherwise.
  driver.configure({ logLevel: 'OFF', additionalLogToConsole: false })
  try {
    const connection = driver.createConnection({
      ...where,
      account,
      username: user,
      ...credentials,
      ...(accessUrl !== undefined && { accessUrl }),
      application: 'Grainline',
      queryTag: applicationName,
      rowMode: 'array',
      fetchAsString: ['Number', 'Boolean', 'JSON', 'Buffer', 'Object', 'Array', 'Map'],
      jsTreatIntegerAsBigInt: true,
      representNullAsStringNull: false,
      resultPrefetch: 1,
      rowStreamHighWaterMark: CHUNK,
      // A session is tried again here, as on every other database. Statements and portions the driver tries again itself, for minutes.
      sfRetryMaxLoginRetries: 0,
    })
    await connection.connectAsync()
    return connection
  } catch (cause) {
    throw isLost(cause) ? cause : refused(plan, cause)
  }
}

const refused = ({ name }: SnowflakePlan, cause: unknown): GrainlineError =>
  new GrainlineError('VENDOR_UNAVAILABLE', `The database '${name}' cannot be connected to: ${engineMessage(cause)}`, { cause })

const closed = (connection: Connection): Promise<void> =>
  // One that is over already is an error.
  new Promise((resolve) => connection.destroy(() => resolve()))

/** https://docs.snowflake.com/en/sql-reference/parameters */
const settings = ({ statementTimeoutMs }: SnowflakePlan): string =>
  [
    "ALTER SESSION SET TIMEZONE = 'UTC'",
    "TIME_OUTPUT_FORMAT = 'HH24:MI:SS.FF9'",
    "BINARY_OUTPUT_FORMAT = 'HEX'",
    // A limit of the account would shorten an answer without an error.
    'ROWS_PER_RESULTSET = 0',
    // A text that is cast may otherwise have to be written in another way.
    "DATE_INPUT_FORMAT = 'AUTO'",
    "TIME_INPUT_FORMAT = 'AUTO'",
    "TIMESTAMP_INPUT_FORMAT = 'AUTO'",
    'STRICT_JSON_OUTPUT = TRUE',
    ...(statementTimeoutMs === undefined
      ? []
      : [`STATEMENT_TIMEOUT_IN_SECONDS = ${Math.max(1, Math.ceil(statementTimeoutMs / 1000))}`]),
  ].join(' ')
