/** Implements server reflection: https://grpc.io/docs/guides/reflection/. The description is derived from the message definitions in use. */
import { bytes, flight, int32, type Message, message, one, repeated, text } from '@grainline/flight-sql'
import { type handleBidiStreamingCall, type ServiceDefinition, status, type UntypedServiceImplementation } from '@grpc/grpc-js'
import type { Handling } from './call-handlers.js'
import { fileDescriptor, type MethodShape } from './file-descriptor.js'
import { raw } from './raw.js'
import { toStatus } from './status.js'

/** Older tools only know the second name. */
const PACKAGES = ['grpc.reflection.v1', 'grpc.reflection.v1alpha'] as const
const serviceOf = (name: string): string => `${name}.ServerReflection`

const request = message('ServerReflectionRequest', {
  host: text(1),
  fileByFilename: text(3),
  fileContainingSymbol: text(4),
  listServices: text(7),
})
const response = message('ServerReflectionResponse', {
  validHost: text(1),
  originalRequest: bytes(2),
  fileDescriptorResponse: one(4, message('FileDescriptorResponse', { fileDescriptorProto: repeated(bytes(1)) })),
  listServicesResponse: one(
    6,
    message('ListServiceResponse', { service: repeated(one(1, message('ServiceResponse', { name: text(1) }))) }),
  ),
  errorResponse: one(7, message('ErrorResponse', { errorCode: int32(1), errorMessage: text(2) })),
})

const method = (
  name: string,
  input: Message<object>,
  output: Message<object>,
  streams: Pick<MethodShape, 'asks' | 'answers'> = {},
): MethodShape => ({
  name,
  input,
  output,
  ...streams,
})

const FLIGHT_FILE = 'Flight.proto'
const flightFile = fileDescriptor({
  file: FLIGHT_FILE,
  package: flight.FLIGHT_PACKAGE,
  service: 'FlightService',
  methods: [
    method('Handshake', flight.handshakeMessage, flight.handshakeMessage, { asks: 'many', answers: 'many' }),
    method('ListFlights', flight.criteria, flight.flightInfo, { answers: 'many' }),
    method('GetFlightInfo', flight.flightDescriptor, flight.flightInfo),
    method('PollFlightInfo', flight.flightDescriptor, flight.pollInfo),
    method('GetSchema', flight.flightDescriptor, flight.schemaResult),
    method('DoGet', flight.ticket, flight.flightData, { answers: 'many' }),
    method('DoPut', flight.flightData, flight.putResult, { asks: 'many', answers: 'many' }),
    method('DoExchange', flight.flightData, flight.flightData, { asks: 'many', answers: 'many' }),
    method('DoAction', flight.action, flight.actionResult, { answers: 'many' }),
    method('ListActions', flight.empty, flight.actionType, { answers: 'many' }),
  ],
})

export const reflectionServices = (handling: Handling): readonly (readonly [ServiceDefinition, UntypedServiceImplementation])[] =>
  PACKAGES.map((name) => [
    { ServerReflectionInfo: raw(serviceOf(name), 'ServerReflectionInfo', { asks: 'many', answers: 'many' }) },
    { ServerReflectionInfo: reflect(handling) },
  ])

/** Answers the requests of an authenticated client one by one. */
function reflect({ admit, logger }: Handling): handleBidiStreamingCall<Buffer, Uint8Array> {
  return (call) => {
    const run = async () => {
      await admit(call)
      for await (const asked of call.iterator({ destroyOnReturn: false })) call.write(answerTo(asked as Buffer))
    }
    run().then(
      () => call.end(),
      (error: unknown) => call.emit('error', toStatus(error, logger)),
    )
  }
}

function answerTo(originalRequest: Buffer): Buffer {
  const asked = decoded(originalRequest)
  if (asked?.listServices !== undefined) {
    const service = [flight.FLIGHT_SERVICE, ...PACKAGES.map(serviceOf)].map((name) => ({ name }))
    return response.encode({ originalRequest, listServicesResponse: { service } })
  }
  const isFlight = asked?.fileByFilename === FLIGHT_FILE || asked?.fileContainingSymbol?.startsWith(`${flight.FLIGHT_PACKAGE}.`)
  return isFlight
    ? response.encode({ originalRequest, fileDescriptorResponse: { fileDescriptorProto: [flightFile] } })
    : response.encode({
        originalRequest,
        errorResponse: { errorCode: status.NOT_FOUND, errorMessage: 'There is no such file or symbol here' },
      })
}

function decoded(bytesAsked: Buffer) {
  try {
    return request.decode(bytesAsked)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
