/**
 * The messages of Arrow Flight and Flight SQL, for whoever asks or answers by them: https://arrow.apache.org/docs/format/Flight.html and
 * https://arrow.apache.org/docs/format/FlightSql.html
 */
import { message } from './protobuf.js'

export const FLIGHT_SERVICE = '/arrow.flight.protocol.FlightService'

export interface HandshakeMessage {
  readonly protocolVersion?: bigint
  readonly payload?: Uint8Array
}
export const handshakeMessage = message<HandshakeMessage>({
  protocolVersion: { number: 1, kind: 'int' },
  payload: { number: 2, kind: 'bytes' },
})

/** The kind of descriptor that holds a command. */
export const DESCRIPTOR_CMD = 2n
export interface FlightDescriptor {
  readonly type?: bigint
  readonly cmd?: Uint8Array
  readonly path?: readonly string[]
}
export const flightDescriptor = message<FlightDescriptor>({
  type: { number: 1, kind: 'int' },
  cmd: { number: 2, kind: 'bytes' },
  path: { number: 3, kind: 'text', repeated: true },
})

export interface Ticket {
  readonly ticket?: Uint8Array
}
export const ticket = message<Ticket>({ ticket: { number: 1, kind: 'bytes' } })

export interface FlightEndpoint {
  readonly ticket?: Ticket
  readonly location?: readonly { readonly uri?: string }[]
}
export const flightEndpoint = message<FlightEndpoint>({
  ticket: { number: 1, kind: ticket },
  location: { number: 2, kind: message<{ readonly uri?: string }>({ uri: { number: 1, kind: 'text' } }), repeated: true },
})

export interface FlightInfo {
  readonly schema?: Uint8Array
  readonly flightDescriptor?: FlightDescriptor
  readonly endpoint?: readonly FlightEndpoint[]
  readonly totalRecords?: bigint
  readonly totalBytes?: bigint
  readonly ordered?: boolean
  readonly appMetadata?: Uint8Array
}
export const flightInfo = message<FlightInfo>({
  schema: { number: 1, kind: 'bytes' },
  flightDescriptor: { number: 2, kind: flightDescriptor },
  endpoint: { number: 3, kind: flightEndpoint, repeated: true },
  totalRecords: { number: 4, kind: 'int' },
  totalBytes: { number: 5, kind: 'int' },
  ordered: { number: 6, kind: 'bool' },
  appMetadata: { number: 7, kind: 'bytes' },
})

/** A message of Arrow's IPC format in two parts. */
export interface FlightData {
  readonly dataHeader?: Uint8Array
  readonly appMetadata?: Uint8Array
  readonly dataBody?: Uint8Array
}
export const flightData = message<FlightData>({
  dataHeader: { number: 2, kind: 'bytes' },
  appMetadata: { number: 3, kind: 'bytes' },
  dataBody: { number: 1000, kind: 'bytes' },
})

export interface Action {
  readonly type?: string
  readonly body?: Uint8Array
}
export const action = message<Action>({ type: { number: 1, kind: 'text' }, body: { number: 2, kind: 'bytes' } })

export interface ActionResult {
  readonly body?: Uint8Array
}
export const actionResult = message<ActionResult>({ body: { number: 1, kind: 'bytes' } })

/** What the action `CancelFlightInfo` takes: the very `FlightInfo` that came, in its bytes. */
export const cancelFlightInfoRequest = message<{ readonly info?: Uint8Array }>({ info: { number: 1, kind: 'bytes' } })

export interface Any {
  readonly typeUrl?: string
  readonly value?: Uint8Array
}
export const any = message<Any>({ typeUrl: { number: 1, kind: 'text' }, value: { number: 2, kind: 'bytes' } })

const FLIGHT_SQL = 'type.googleapis.com/arrow.flight.protocol.sql.'
/** A message of Flight SQL under its name, as commands and tickets hold it. */
export const named = (name: string, value: Uint8Array): Buffer => any.encode({ typeUrl: FLIGHT_SQL + name, value })

export const commandStatementQuery = message<{ readonly query?: string }>({ query: { number: 1, kind: 'text' } })
