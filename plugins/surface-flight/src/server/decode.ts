import { flight, type Message, sql } from '@grainline/flight-sql'
import { invalid } from './status.js'

/** Decodes a message. Throws `INVALID_ARGUMENT` for malformed bytes. */
export function decode<T extends object>(message: Message<T>, bytes: Uint8Array): T {
  try {
    return message.decode(bytes)
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`The request contains no valid ${message.name}: ${error.message}`)
    throw error
  }
}

export interface Command {
  readonly name: string
  readonly value: Uint8Array
}

/** The command in a descriptor, a ticket or an action. */
export function commandIn(bytes: Uint8Array | undefined, what: string): Command {
  return sql.readNamed(bytes ?? new Uint8Array(0)) ?? refuse(what)
}

export function commandOf(request: Uint8Array): Command {
  const { type, cmd } = decode(flight.flightDescriptor, request)
  if (type !== flight.DESCRIPTOR_CMD) throw invalid('The descriptor contains a path; send a Flight SQL command')
  return commandIn(cmd, 'descriptor')
}

function refuse(what: string): never {
  throw invalid(`The ${what} contains no Flight SQL command`)
}
