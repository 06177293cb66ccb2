/** The commands of a read-only server: statements, prepared statements, and the catalogue. */
import { randomUUID } from 'node:crypto'
import type { ArrowIpc } from '@grainline/core/format'
import type { ModelService, QueryTarget, SqlService } from '@grainline/core/surface'
import { encapsulated, flight, sql, type ValueOf } from '@grainline/flight-sql'
import type { Schema } from 'apache-arrow'
import type { Sealer } from '../access/sealer.js'
import type { CatalogCommands } from '../catalog/catalog-commands.js'
import { modelsIn, relationsOf } from '../catalog/relations.js'
import { type CallContext, nameIn } from '../server/context.js'
import { type Command, commandIn, decode } from '../server/decode.js'
import type { Outlet } from '../server/outlet.js'
import { invalid, unimplemented } from '../server/status.js'
import type { SessionOptions } from '../session/session-options.js'
import { chooseModel } from './choose-model.js'
import { describeStatement } from './describer.js'
import type { Runs } from './runs.js'
import { columnsHash, openStatement, type PlannedStatement, type Statement } from './statement.js'
import { streamStatement } from './stream-statement.js'

export interface CommandsContext {
  readonly service: ModelService & SqlService
  readonly ipc: ArrowIpc
  readonly sealer: Sealer
  readonly session: SessionOptions
  readonly runs: Runs
  readonly catalog: CatalogCommands
  readonly timeoutMs: number
}

export type Commands = ReturnType<typeof commands>

export function commands({ service, ipc, sealer, session, runs, catalog, timeoutMs }: CommandsContext) {
  /** The model of a call: a header names it, or an option of the session. */
  async function targetOf(context: CallContext): Promise<QueryTarget> {
    const { metadata } = context
    const name = nameIn(metadata, 'database') ?? nameIn(metadata, 'catalog') ?? session.modelOf(context)
    return chooseModel(name, service, context.principal)
  }

  const seenIn = async (context: CallContext) => ({ target: await targetOf(context), principal: context.principal })

  const asked = async (query: string, context: CallContext): Promise<Statement> => ({
    sql: query,
    target: await targetOf(context),
    principal: context.principal.id,
  })

  /** The statement of a command; `undefined` for catalogue commands. */
  async function statementOf({ name, value }: Command, context: CallContext): Promise<Statement | undefined> {
    switch (name) {
      case 'CommandStatementQuery':
        return asked(decode(sql.commandStatementQuery, value).query ?? '', context)
      case 'CommandPreparedStatementQuery':
        return prepared(value, context)
      default:
        return catalog.has(name) ? undefined : refuse(name)
    }
  }

  function prepared(value: Uint8Array, { principal }: CallContext): Statement {
    const { preparedStatementHandle = new Uint8Array(0) } = decode(sql.commandPreparedStatementQuery, value)
    return openStatement(sealer, 'statement', preparedStatementHandle, principal.id)
  }

  const described = (statement: Statement, { asker }: CallContext) => describeStatement(statement, asker, { service, ipc })

  async function planned(statement: Statement, context: CallContext): Promise<PlannedStatement & { readonly schema: Schema }> {
    const { schema } = await described(statement, context)
    return { ...statement, schema, id: randomUUID(), columns: columnsHash(ipc.schemaMessage(schema)) }
  }

  const endpoint = (ticket: Uint8Array): flight.FlightEndpoint => ({ ticket: { ticket }, expirationTime: expirationTime() })

  const ticketFor = (statement: PlannedStatement): Buffer =>
    sql.named('TicketStatementQuery', sql.ticketStatementQuery.encode({ statementHandle: sealer.seal('ticket', statement) }))

  /** The statement of a ticket; `undefined` for tickets of the catalogue. */
  function openTicket(ticket: Uint8Array | undefined, context: CallContext): PlannedStatement | undefined {
    const { name, value } = commandIn(ticket, 'ticket')
    return name === 'TicketStatementQuery' ? ticketOf(value, context) : undefined
  }

  function expirationTime(): ValueOf<typeof flight.timestamp> {
    const milliseconds = sealer.expiry()
    return { seconds: BigInt(Math.floor(milliseconds / 1000)), nanos: (milliseconds % 1000) * 1_000_000 }
  }

  /** The columns come from the plan, so no query runs. The client reads the rows from one endpoint, at the same address. */
  async function plan(command: Command, descriptor: Uint8Array, context: CallContext): Promise<flight.FlightInfo> {
    const statement = await statementOf(command, context)
    const flightDescriptor = decode(flight.flightDescriptor, descriptor)
    const about = { flightDescriptor, totalRecords: -1n, totalBytes: -1n, ordered: true }
    if (statement === undefined) {
      return {
        ...about,
        schema: bytesOf(catalog.schemaOf(command)),
        endpoint: [endpoint(flightDescriptor.cmd ?? new Uint8Array(0))],
      }
    }
    const { schema, ...ready } = await planned(statement, context)
    return { ...about, schema: bytesOf(schema), endpoint: [endpoint(ticketFor(ready))] }
  }

  const bytesOf = (schema: Schema): Buffer => encapsulated(ipc.schemaMessage(schema).header)

  /** Each relation that a statement may read, as the statement for all of its rows. */
  async function* flights(context: CallContext): AsyncGenerator<flight.FlightInfo> {
    for (const { schema, table } of await relationsOf(modelsIn(await seenIn(context), service), service)) {
      const query = `SELECT * FROM ${quoted(schema)}.${quoted(table)}`
      const cmd = sql.named('CommandStatementQuery', sql.commandStatementQuery.encode({ query }))
      const descriptor = flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd })
      yield await plan(commandIn(cmd, 'descriptor'), descriptor, context)
    }
  }

  return {
    plan,
    flights,
    expirationTime,
    session,
    async schemaOf(command: Command, context: CallContext): Promise<Uint8Array> {
      const statement = await statementOf(command, context)
      return bytesOf(statement === undefined ? catalog.schemaOf(command) : (await described(statement, context)).schema)
    },
    async stream(command: Command, context: CallContext, out: Outlet): Promise<void> {
      const { name, value } = command
      if (catalog.has(name)) return catalog.stream(command, await seenIn(context), out)
      const statement = name === 'TicketStatementQuery' ? ticketOf(value, context) : await direct(command, context)
      await runs.run(statement.id, context, () => streamStatement(statement, context, out, { service, ipc, timeoutMs }))
    },
    async prepare(query: string, context: CallContext): Promise<Uint8Array> {
      const statement = await asked(query, context)
      const { schema, parameterSchema } = await described(statement, context)
      return sql.createPreparedStatementResult.encode({
        preparedStatementHandle: sealer.seal('statement', statement),
        datasetSchema: bytesOf(schema),
        parameterSchema: bytesOf(parameterSchema),
        isUpdate: false,
      })
    },
    /** The new handle of a prepared statement, which includes the values. */
    bound(value: Uint8Array, parameters: NonNullable<Statement['parameters']>, context: CallContext): Uint8Array {
      return sealer.seal('statement', { ...prepared(value, context), parameters })
    },
    async cancel(info: Uint8Array | undefined, context: CallContext): Promise<number> {
      const { endpoint: endpoints = [] } = decode(flight.flightInfo, info ?? new Uint8Array(0))
      const statements = endpoints.flatMap(({ ticket }) => openTicket(ticket?.ticket, context) ?? [])
      if (statements.length === 0) return flight.CANCEL_STATUS.notCancellable
      await Promise.all(statements.map(({ id }) => runs.cancel(id)))
      return flight.CANCEL_STATUS.cancelled
    },
    async renew({ ticket, ...given }: flight.FlightEndpoint, context: CallContext): Promise<flight.FlightEndpoint> {
      const statement = openTicket(ticket?.ticket, context)
      return { ...given, ...endpoint(statement === undefined ? (ticket?.ticket ?? new Uint8Array(0)) : ticketFor(statement)) }
    },
  }

  function ticketOf(value: Uint8Array, { principal }: CallContext): PlannedStatement {
    const { statementHandle = new Uint8Array(0) } = decode(sql.ticketStatementQuery, value)
    return openStatement(sealer, 'ticket', statementHandle, principal.id)
  }

  /** Plans a command that was sent instead of a ticket. */
  async function direct(command: Command, context: CallContext): Promise<PlannedStatement> {
    const statement = await statementOf(command, context)
    if (statement === undefined) throw invalid(`${command.name} is not a ticket`)
    return planned(statement, context)
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Nothing can be written. Drivers expect INVALID_ARGUMENT for a write, and UNIMPLEMENTED for other commands. */
function refuse(name: string): never {
  if (/Update|Ingest/.test(name)) throw invalid(WRITING)
  throw unimplemented(`${name} is not supported; send SQL`)
}

export const WRITING = 'WRITE_OPERATION_REJECTED: The server is read-only; send SELECT dimensions and measures FROM a model'
