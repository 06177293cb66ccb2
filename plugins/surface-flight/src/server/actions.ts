import { flight, sql } from '@grainline/flight-sql'
import type { Commands } from '../statements/commands.js'
import type { CallContext } from './context.js'
import { commandIn, decode } from './decode.js'
import { unimplemented } from './status.js'

interface Act {
  /** `ListActions` lists actions with a description; the others are refused. */
  readonly description?: string
  readonly run: (body: Uint8Array, context: CallContext) => Promise<Uint8Array | undefined>
}

const transactions: Act = {
  // Only this status tells drivers that the server has no transactions.
  run: async () => {
    throw unimplemented('Transactions are not supported, because the server is read-only')
  },
}

/** The actions by type. */
export const actions = (commands: Commands): ReadonlyMap<string, Act> =>
  new Map<string, Act>([
    [
      'CreatePreparedStatement',
      {
        description: 'Prepares a statement: its columns, its parameters and a handle to run it by.',
        async run(body, context) {
          const { query = '' } = decode(sql.createPreparedStatementRequest, commandIn(body, 'action').value)
          return sql.named('ActionCreatePreparedStatementResult', await commands.prepare(query, context))
        },
      },
    ],
    [
      'ClosePreparedStatement',
      { description: 'Closes a prepared statement. The server keeps no state of it.', run: async () => undefined },
    ],
    [
      'CancelFlightInfo',
      {
        description: 'Cancels the query of a FlightInfo, in the database too.',
        async run(body, context) {
          const { info } = decode(flight.cancelFlightInfoRequest, body)
          return flight.cancelFlightInfoResult.encode({ status: await commands.cancel(info, context) })
        },
      },
    ],
    [
      'CancelQuery',
      {
        description: 'The older name of CancelFlightInfo.',
        async run(body, context) {
          const { info } = decode(sql.cancelQueryRequest, commandIn(body, 'action').value)
          return sql.named(
            'ActionCancelQueryResult',
            sql.cancelQueryResult.encode({ result: await commands.cancel(info, context) }),
          )
        },
      },
    ],
    [
      'RenewFlightEndpoint',
      {
        description: 'Returns an endpoint whose ticket expires later.',
        async run(body, context) {
          const { endpoint = {} } = decode(flight.renewFlightEndpointRequest, body)
          return flight.flightEndpoint.encode(await commands.renew(endpoint, context))
        },
      },
    ],
    [
      'SetSessionOptions',
      {
        description: 'Chooses a model for the calls that follow: the options catalog and schema, kept in a cookie.',
        run: async (body, context) => commands.session.set(decode(flight.setSessionOptionsRequest, body), context),
      },
    ],
    [
      'GetSessionOptions',
      { description: 'The options of the session.', run: async (_body, context) => commands.session.get(context) },
    ],
    [
      'CloseSession',
      { description: 'Forgets the options of the session.', run: async (_body, context) => commands.session.close(context) },
    ],
    ['BeginTransaction', transactions],
    ['EndTransaction', transactions],
    ['BeginSavepoint', transactions],
    ['EndSavepoint', transactions],
    [
      'CreatePreparedSubstraitPlan',
      {
        run: async () => {
          throw unimplemented('Substrait plans are not supported; send SQL')
        },
      },
    ],
  ])
