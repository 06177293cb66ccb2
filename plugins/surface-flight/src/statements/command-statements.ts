/** The statements that commands and tickets contain. */
import { randomUUID } from 'node:crypto'
import type { ArrowIpc } from '@grainline/core/format'
import type { ModelService, QueryTarget, SqlService } from '@grainline/core/surface'
import { sql } from '@grainline/flight-sql'
import type { Schema } from 'apache-arrow'
import type { Sealer } from '../access/sealer.js'
import type { CatalogCommands } from '../catalog/catalog-commands.js'
import { type CallContext, nameIn } from '../server/context.js'
import { type Command, commandIn, decode } from '../server/decode.js'
import { invalid, unimplemented } from '../server/status.js'
import type { SessionOptions } from '../session/session-options.js'
import { chooseModel } from './choose-model.js'
import { describeStatement } from './describer.js'
import { columnsHash, openStatement, type PlannedStatement, type Statement } from './statement.js'

export interface StatementsContext {
  readonly service: ModelService & SqlService
  readonly ipc: ArrowIpc
  readonly sealer: Sealer
  readonly session: SessionOptions
  readonly catalog: CatalogCommands
}

export function commandStatements({ service, ipc, sealer, session, catalog }: StatementsContext) {
  /** The model of a call: a header names it, or an option of the session. */
  async function targetOf(context: CallContext): Promise<QueryTarget> {
    const { metadata } = context
    const name = nameIn(metadata, 'database') ?? nameIn(metadata, 'catalog') ?? session.modelOf(context)
    return chooseModel(name, service, context.principal)
  }

  const asked = async (query: string, context: CallContext): Promise<Statement> => ({
    sql: query,
    target: await targetOf(context),
    principal: context.principal.id,
  })

  function prepared(value: Uint8Array, { principal }: CallContext): Statement {
    const { preparedStatementHandle = new Uint8Array(0) } = decode(sql.commandPreparedStatementQuery, value)
    return openStatement(sealer, 'statement', preparedStatementHandle, principal.id)
  }

  /** The statement of a command; `undefined` for catalogue commands. */
  async function of({ name, value }: Command, context: CallContext): Promise<Statement | undefined> {
    switch (name) {
      case 'CommandStatementQuery':
        return asked(decode(sql.commandStatementQuery, value).query ?? '', context)
      case 'CommandPreparedStatementQuery':
        return prepared(value, context)
      default:
        return catalog.has(name) ? undefined : refuse(name)
    }
  }

  const described = (statement: Statement, { asker }: CallContext) => describeStatement(statement, asker, { service, ipc })

  async function planned(statement: Statement, context: CallContext): Promise<PlannedStatement & { readonly schema: Schema }> {
    const { schema } = await described(statement, context)
    return { ...statement, schema, id: randomUUID(), columns: columnsHash(ipc.schemaMessage(schema)) }
  }

  function inTicket(value: Uint8Array, { principal }: CallContext): PlannedStatement {
    const { statementHandle = new Uint8Array(0) } = decode(sql.ticketStatementQuery, value)
    return openStatement(sealer, 'ticket', statementHandle, principal.id)
  }

  /** Plans a command that was sent instead of a ticket. */
  async function direct(command: Command, context: CallContext): Promise<PlannedStatement> {
    const statement = await of(command, context)
    if (statement === undefined) throw invalid(`${command.name} is not a ticket`)
    return planned(statement, context)
  }

  return {
    asked,
    prepared,
    of,
    described,
    planned,
    seenIn: async (context: CallContext) => ({ target: await targetOf(context), principal: context.principal }),
    /** The statement of a ticket; `undefined` for tickets of the catalogue. */
    ofTicket(ticket: Uint8Array | undefined, context: CallContext): PlannedStatement | undefined {
      const { name, value } = commandIn(ticket, 'ticket')
      return name === TICKET ? inTicket(value, context) : undefined
    },
    toRun: async (command: Command, context: CallContext): Promise<PlannedStatement> =>
      command.name === TICKET ? inTicket(command.value, context) : direct(command, context),
  }
}

const TICKET = 'TicketStatementQuery'

export const WRITING = 'WRITE_OPERATION_REJECTED: The server is read-only; send SELECT dimensions and measures FROM a model'

/** Nothing can be written. Drivers expect INVALID_ARGUMENT for a write, and UNIMPLEMENTED for other commands. */
function refuse(name: string): never {
  if (/Update|Ingest/.test(name)) throw invalid(WRITING)
  throw unimplemented(`${name} is not supported; send SQL`)
}
