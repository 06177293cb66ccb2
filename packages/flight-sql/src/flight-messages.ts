/** The messages of Arrow Flight: https://arrow.apache.org/docs/format/Flight.html */
import {
  bool,
  bytes,
  double,
  int32,
  int64,
  map,
  message,
  one,
  optional,
  repeated,
  sfixed64,
  text,
  type ValueOf,
} from './protobuf.js'

export const FLIGHT_PACKAGE = 'arrow.flight.protocol'
export const FLIGHT_SERVICE = `${FLIGHT_PACKAGE}.FlightService`

export const handshakeMessage = message('HandshakeRequest', { protocolVersion: int64(1), payload: bytes(2) })

/** The payload of a handshake of older clients. */
export const basicAuth = message('BasicAuth', { username: text(2), password: text(3) })

/** The kind of descriptor that contains a command. */
export const DESCRIPTOR_CMD = 2
export const flightDescriptor = message('FlightDescriptor', { type: int32(1), cmd: bytes(2), path: repeated(text(3)) })
export type FlightDescriptor = ValueOf<typeof flightDescriptor>

export const ticket = message('Ticket', { ticket: bytes(1) })
export type Ticket = ValueOf<typeof ticket>

const location = message('Location', { uri: text(1) })

/** Of `google.protobuf`: seconds since 1970. */
export const timestamp = message('Timestamp', { seconds: int64(1), nanos: int32(2) })

export const flightEndpoint = message('FlightEndpoint', {
  ticket: one(1, ticket),
  location: repeated(one(2, location)),
  expirationTime: one(3, timestamp),
  appMetadata: bytes(4),
})
export type FlightEndpoint = ValueOf<typeof flightEndpoint>

export const flightInfo = message('FlightInfo', {
  schema: bytes(1),
  flightDescriptor: one(2, flightDescriptor),
  endpoint: repeated(one(3, flightEndpoint)),
  totalRecords: int64(4),
  totalBytes: int64(5),
  ordered: bool(6),
  appMetadata: bytes(7),
})
export type FlightInfo = ValueOf<typeof flightInfo>

export const pollInfo = message('PollInfo', {
  info: one(1, flightInfo),
  flightDescriptor: one(2, flightDescriptor),
  progress: optional(double(3)),
  expirationTime: one(4, timestamp),
})

export const schemaResult = message('SchemaResult', { schema: bytes(1) })

/** A message of Arrow's IPC format in two parts. */
export const flightData = message('FlightData', {
  flightDescriptor: one(1, flightDescriptor),
  dataHeader: bytes(2),
  appMetadata: bytes(3),
  dataBody: bytes(1000),
})
export type FlightData = ValueOf<typeof flightData>

export const putResult = message('PutResult', { appMetadata: bytes(1) })

export const action = message('Action', { type: text(1), body: bytes(2) })
export const actionType = message('ActionType', { type: text(1), description: text(2) })
export const actionResult = message('Result', { body: bytes(1) })
export type ActionResult = ValueOf<typeof actionResult>
export const criteria = message('Criteria', { expression: bytes(1) })
export const empty = message('Empty', {})

/** `info` is the received `FlightInfo` in its original bytes, so that it is returned without loss. */
export const cancelFlightInfoRequest = message('CancelFlightInfoRequest', { info: bytes(1) })
export const CANCEL_STATUS = { unspecified: 0, cancelled: 1, cancelling: 2, notCancellable: 3 } as const
export const cancelFlightInfoResult = message('CancelFlightInfoResult', { status: int32(1) })
export const renewFlightEndpointRequest = message('RenewFlightEndpointRequest', { endpoint: one(1, flightEndpoint) })

const stringList = message('StringListValue', { values: repeated(text(1)) })
/** One of its fields; none unsets the option. */
export const sessionOptionValue = message('SessionOptionValue', {
  stringValue: optional(text(1)),
  boolValue: optional(bool(2)),
  int64Value: optional(sfixed64(3)),
  doubleValue: optional(double(4)),
  stringListValue: one(5, stringList),
})
export type SessionOptionValue = ValueOf<typeof sessionOptionValue>
export const setSessionOptionsRequest = message('SetSessionOptionsRequest', {
  sessionOptions: map(1, one(2, sessionOptionValue)),
})
export const SESSION_ERROR = { unspecified: 0, invalidName: 1, invalidValue: 2, error: 3 } as const
const sessionError = message('Error', { value: int32(1) })
export const setSessionOptionsResult = message('SetSessionOptionsResult', { errors: map(1, one(2, sessionError)) })
export const getSessionOptionsResult = message('GetSessionOptionsResult', { sessionOptions: map(1, one(2, sessionOptionValue)) })
export const CLOSE_STATUS = { unspecified: 0, closed: 1, closing: 2, notCloseable: 3 } as const
export const closeSessionResult = message('CloseSessionResult', { status: int32(1) })
