import { flight, sql } from '@grainline/flight-sql'
import { type handleBidiStreamingCall, type ServerDuplexStream, status } from '@grpc/grpc-js'
import { WRITING } from '../statements/command-statements.js'
import type { Commands } from '../statements/commands.js'
import { type IpcMessage, readParameters } from '../statements/read-parameters.js'
import { contextOf, type Handling } from './call-handlers.js'
import { type Command, commandOf, decode } from './decode.js'
import { FlightError, invalid, toStatus, unimplemented } from './status.js'

type Put = ServerDuplexStream<Buffer, Uint8Array>

/** The limit for the values of one statement, in bytes. */
const MOST_BYTES = 2 ** 20

/** Receives the values of a prepared statement. Any other upload would write, so its first message is refused. */
export function bindParameters(commands: Commands, { admit, logger }: Handling): handleBidiStreamingCall<Buffer, Uint8Array> {
  return (call) => {
    const run = async () => {
      const context = contextOf(call, await admit(call))
      // The end of the input must not close the call, because the answer follows.
      const messages = call.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
      const first = await messages.next()
      if (first.done) throw invalid('DoPut was called without a message')
      const { flightDescriptor = {} } = decode(flight.flightData, first.value)
      const { value } = onlyPrepared(commandOf(flight.flightDescriptor.encode(flightDescriptor)))
      const parameters = readParameters(await partsOf(first.value, messages))
      call.sendMetadata(context.answerMetadata)
      if (parameters === undefined) return
      const preparedStatementHandle = commands.bound(value, parameters, context)
      const appMetadata = sql.doPutPreparedStatementResult.encode({ preparedStatementHandle })
      call.write(flight.putResult.encode({ appMetadata }))
    }
    run().then(
      () => call.end(),
      (error: unknown) => failed(call, toStatus(error, logger)),
    )
  }
}

function failed(call: Put, error: object): void {
  // This discards further messages of the client.
  call.resume()
  call.emit('error', error)
}

function onlyPrepared(command: Command): Command {
  if (command.name === 'CommandPreparedStatementQuery') return command
  if (/Update|Ingest/.test(command.name)) throw invalid(WRITING)
  throw unimplemented(`${command.name} does not accept DoPut`)
}

/** Collects the messages of the Arrow IPC format. */
async function partsOf(first: Buffer, rest: AsyncIterator<Buffer>): Promise<readonly IpcMessage[]> {
  const parts: IpcMessage[] = []
  let size = 0
  for (let next: IteratorResult<Buffer> = { value: first }; !next.done; next = await rest.next()) {
    size += next.value.length + MESSAGE_COST
    if (size > MOST_BYTES)
      throw new FlightError(status.RESOURCE_EXHAUSTED, `The values of the statement are larger than ${MOST_BYTES} bytes`)
    const { dataHeader, dataBody } = decode(flight.flightData, next.value)
    if (dataHeader !== undefined && dataHeader.length > 0) parts.push({ header: dataHeader, body: Buffer.from(dataBody ?? []) })
  }
  return parts
}

/** An estimate of the memory that a message takes besides its bytes. */
const MESSAGE_COST = 64
