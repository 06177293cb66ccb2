/** The commands of a read-only server: statements, prepared statements, and the catalogue. */
import { encapsulated, flight, sql, type ValueOf } from '@grainline/flight-sql'
import type { Schema } from 'apache-arrow'
import type { Sealer } from '../access/sealer.js'
import { modelsIn, relationsOf } from '../catalog/relations.js'
import type { CallContext } from '../server/context.js'
import { type Command, commandIn, decode } from '../server/decode.js'
import type { Outlet } from '../server/outlet.js'
import { commandStatements, type StatementsContext } from './command-statements.js'
import type { Runs } from './runs.js'
import type { PlannedStatement, Statement } from './statement.js'
import { streamStatement } from './stream-statement.js'

export interface CommandsContext extends StatementsContext {
  readonly runs: Runs
  readonly timeoutMs: number
}

export type Commands = ReturnType<typeof commands>

export function commands(own: CommandsContext) {
  const { service, ipc, sealer, session, runs, catalog, timeoutMs } = own
  const statements = commandStatements(own)
  const { bytesOf, endpoint, ticketFor } = ticketsOf(own)

  /** The columns come from the plan, so no query runs. The client reads the rows from one endpoint, at the same address. */
  async function plan(command: Command, descriptor: Uint8Array, context: CallContext): Promise<flight.FlightInfo> {
    const statement = await statements.of(command, context)
    const flightDescriptor = decode(flight.flightDescriptor, descriptor)
    const about = { flightDescriptor, totalRecords: -1n, totalBytes: -1n, ordered: true }
    if (statement === undefined) {
      return {
        ...about,
        schema: bytesOf(catalog.schemaOf(command)),
        endpoint: [endpoint(flightDescriptor.cmd ?? new Uint8Array(0))],
      }
    }
    const { schema, ...ready } = await statements.planned(statement, context)
    return { ...about, schema: bytesOf(schema), endpoint: [endpoint(ticketFor(ready))] }
  }

  /** Each relation that a statement may read, as the statement for all of its rows. */
  async function* flights(context: CallContext): AsyncGenerator<flight.FlightInfo> {
    for (const { schema, table } of await relationsOf(modelsIn(await statements.seenIn(context), service), service)) {
      const query = `SELECT * FROM ${quoted(schema)}.${quoted(table)}`
      const cmd = sql.named('CommandStatementQuery', sql.commandStatementQuery.encode({ query }))
      const descriptor = flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd })
      yield await plan(commandIn(cmd, 'descriptor'), descriptor, context)
    }
  }

  return {
    plan,
    flights,
    expirationTime: () => expirationOf(sealer),
    session,
    async schemaOf(command: Command, context: CallContext): Promise<Uint8Array> {
      const statement = await statements.of(command, context)
      const { schema } =
        statement === undefined ? { schema: catalog.schemaOf(command) } : await statements.described(statement, context)
      return bytesOf(schema)
    },
    async stream(command: Command, context: CallContext, out: Outlet): Promise<void> {
      if (catalog.has(command.name)) return catalog.stream(command, await statements.seenIn(context), out)
      const statement = await statements.toRun(command, context)
      await runs.run(statement.id, context, () => streamStatement(statement, context, out, { service, ipc, timeoutMs }))
    },
    async prepare(query: string, context: CallContext): Promise<Uint8Array> {
      const statement = await statements.asked(query, context)
      const { schema, parameterSchema } = await statements.described(statement, context)
      return sql.createPreparedStatementResult.encode({
        preparedStatementHandle: sealer.seal('statement', statement),
        datasetSchema: bytesOf(schema),
        parameterSchema: bytesOf(parameterSchema),
        isUpdate: false,
      })
    },
    /** The new handle of a prepared statement, which includes the values. */
    bound(value: Uint8Array, parameters: NonNullable<Statement['parameters']>, context: CallContext): Uint8Array {
      return sealer.seal('statement', { ...statements.prepared(value, context), parameters })
    },
    async cancel(info: Uint8Array | undefined, context: CallContext): Promise<number> {
      const { endpoint: endpoints = [] } = decode(flight.flightInfo, info ?? new Uint8Array(0))
      const running = endpoints.flatMap(({ ticket }) => statements.ofTicket(ticket?.ticket, context) ?? [])
      if (running.length === 0) return flight.CANCEL_STATUS.notCancellable
      await Promise.all(running.map(({ id }) => runs.cancel(id)))
      return flight.CANCEL_STATUS.cancelled
    },
    async renew({ ticket, ...given }: flight.FlightEndpoint, context: CallContext): Promise<flight.FlightEndpoint> {
      const statement = statements.ofTicket(ticket?.ticket, context)
      return { ...given, ...endpoint(statement === undefined ? (ticket?.ticket ?? new Uint8Array(0)) : ticketFor(statement)) }
    },
  }
}

/** What a client gets of a planned statement. */
function ticketsOf({ sealer, ipc }: CommandsContext) {
  return {
    bytesOf: (schema: Schema): Buffer => encapsulated(ipc.schemaMessage(schema).header),
    endpoint: (ticket: Uint8Array): flight.FlightEndpoint => ({ ticket: { ticket }, expirationTime: expirationOf(sealer) }),
    ticketFor: (statement: PlannedStatement): Buffer =>
      sql.named('TicketStatementQuery', sql.ticketStatementQuery.encode({ statementHandle: sealer.seal('ticket', statement) })),
  }
}

function expirationOf(sealer: Sealer): ValueOf<typeof flight.timestamp> {
  const milliseconds = sealer.expiry()
  return { seconds: BigInt(Math.floor(milliseconds / 1000)), nanos: (milliseconds % 1000) * 1_000_000 }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
