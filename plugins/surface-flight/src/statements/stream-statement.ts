import type { ArrowIpc } from '@grainline/core/format'
import type { SqlService } from '@grainline/core/surface'
import { status } from '@grpc/grpc-js'
import { flightFrame } from '../rows/flight-frame.js'
import { slices } from '../rows/slices.js'
import { type CallContext, headerOf } from '../server/context.js'
import type { Outlet } from '../server/outlet.js'
import { FlightError } from '../server/status.js'
import { arrowSchemaOf } from './describer.js'
import { numberPlaceholders, placed } from './placeholders.js'
import { columnsHash, type PlannedStatement } from './statement.js'

interface Streaming {
  readonly service: Pick<SqlService, 'executeSql'>
  readonly ipc: ArrowIpc
  /** The time limit of the database in milliseconds. */
  readonly timeoutMs: number
}

const ROLLUP_CHOICES = ['allow', 'never', 'require'] as const

/** Whether rollup tables are read, as the client says in a header. */
function rollupsIn(metadata: CallContext['metadata']): (typeof ROLLUP_CHOICES)[number] | undefined {
  const given = headerOf(metadata, 'x-grainline-rollups')
  const found = ROLLUP_CHOICES.find((choice) => choice === given)
  if (given !== undefined && found === undefined)
    throw new FlightError(status.INVALID_ARGUMENT, `x-grainline-rollups is one of ${ROLLUP_CHOICES.join(', ')}`)
  return found
}

/** Runs a statement, and sends the schema and then the batches. */
export async function streamStatement(
  statement: PlannedStatement,
  { asker, signal, metadata }: Pick<CallContext, 'asker' | 'signal' | 'metadata'>,
  out: Outlet,
  { service, ipc, timeoutMs }: Streaming,
): Promise<void> {
  const { sql: text, target, parameters } = statement
  const numbered = numberPlaceholders(text)
  const execution = await service
    .executeSql(
      { sql: numbered.sql, target, parameters, asker, rollups: rollupsIn(metadata) },
      { signal, timeoutMs, timeoutSetting: 'FLIGHT_QUERY_TIMEOUT_SECONDS', defaultLimit: 'sql' },
    )
    .catch((error: unknown) => placed(error, text, numbered))
  const { schema, batches, outcome } = execution
  const message = ipc.schemaMessage(arrowSchemaOf(schema, outcome().timezone, ipc))
  const rows = batches[Symbol.asyncIterator]()
  // The rows hold a database connection, so they must be released even if the first message cannot be sent.
  try {
    if (columnsHash(message) !== statement.columns)
      throw new FlightError(status.FAILED_PRECONDITION, 'The model has changed since the statement was planned; send it again')
    await out.send(flightFrame(message))
    for (let next = await rows.next(); !next.done; next = await rows.next())
      for (const slice of slices(next.value)) if (slice.rowCount > 0) await out.send(flightFrame(ipc.batchMessage(slice)))
  } finally {
    await rows.return?.()
  }
}
