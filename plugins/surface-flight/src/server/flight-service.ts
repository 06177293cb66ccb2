/** The calls of Arrow Flight: https://arrow.apache.org/docs/format/Flight.html#rpc-methods */
import { flight } from '@grainline/flight-sql'
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js'
import type { Commands } from '../statements/commands.js'
import { actions } from './actions.js'
import { type Handling, streaming, unary } from './call-handlers.js'
import { commandIn, commandOf, decode } from './decode.js'
import { bindParameters } from './do-put.js'
import { raw } from './raw.js'
import { unimplemented } from './status.js'

const of = (name: string, shape?: Parameters<typeof raw>[2]) => raw(flight.FLIGHT_SERVICE, name, shape)

export const flightDefinition: ServiceDefinition = {
  Handshake: of('Handshake', { asks: 'many', answers: 'many' }),
  ListFlights: of('ListFlights', { answers: 'many' }),
  GetFlightInfo: of('GetFlightInfo'),
  PollFlightInfo: of('PollFlightInfo'),
  GetSchema: of('GetSchema'),
  DoGet: of('DoGet', { answers: 'many' }),
  DoPut: of('DoPut', { asks: 'many', answers: 'many' }),
  DoExchange: of('DoExchange', { asks: 'many', answers: 'many' }),
  DoAction: of('DoAction', { answers: 'many' }),
  ListActions: of('ListActions', { answers: 'many' }),
}

export function flightCalls(commands: Commands, handling: Handling): UntypedServiceImplementation {
  const acting = actions(commands)
  return {
    GetFlightInfo: unary(
      async (request, context) => flight.flightInfo.encode(await commands.plan(commandOf(request), request, context)),
      handling,
    ),
    // A plan is quick and runs no query, so the first answer is complete.
    PollFlightInfo: unary(async (request, context) => {
      const info = await commands.plan(commandOf(request), request, context)
      return flight.pollInfo.encode({ info, progress: 1, expirationTime: commands.expirationTime() })
    }, handling),
    GetSchema: unary(
      async (request, context) => flight.schemaResult.encode({ schema: await commands.schemaOf(commandOf(request), context) }),
      handling,
    ),
    DoGet: streaming(async (request, context, out) => {
      const { ticket } = decode(flight.ticket, request)
      await commands.stream(commandIn(ticket, 'ticket'), context, out)
    }, handling),
    DoPut: bindParameters(commands, handling),
    DoAction: streaming(async (request, context, out) => {
      const { type = '', body = new Uint8Array(0) } = decode(flight.action, request)
      const act = acting.get(type)
      if (act === undefined) throw unimplemented(`There is no action '${type.slice(0, 100)}'; ListActions lists the actions`)
      const answer = await act.run(body, context)
      if (answer !== undefined) await out.send(flight.actionResult.encode({ body: answer }))
    }, handling),
    ListActions: streaming(async (_request, _context, out) => {
      for (const [type, { description }] of acting)
        if (description !== undefined) await out.send(flight.actionType.encode({ type, description }))
    }, handling),
    ListFlights: streaming(async (_request, context, out) => {
      for await (const info of commands.flights(context)) await out.send(flight.flightInfo.encode(info))
    }, handling),
    DoExchange: streaming(async () => {
      throw unimplemented('DoExchange is not part of Flight SQL')
    }, handling) as never,
  }
}
