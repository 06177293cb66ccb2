/** Implements the gRPC health service: https://grpc.io/docs/guides/health-checking/ */
import { flight, int32, map, message, one, text } from '@grainline/flight-sql'
import {
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { raw } from './raw.js'

const HEALTH_PACKAGE = 'grpc.health.v1'
export const HEALTH_SERVICE = `${HEALTH_PACKAGE}.Health`

const request = message('HealthCheckRequest', { service: text(1) })
const response = message('HealthCheckResponse', { status: int32(1) })
const list = message('HealthListResponse', { statuses: map(1, one(2, response)) })

const SERVING = 1
const SERVICE_UNKNOWN = 3
/** The empty name stands for the whole server. */
const SERVED: ReadonlySet<string> = new Set(['', flight.FLIGHT_SERVICE])

export const healthDefinition: ServiceDefinition = {
  Check: raw(HEALTH_SERVICE, 'Check'),
  List: raw(HEALTH_SERVICE, 'List'),
  Watch: raw(HEALTH_SERVICE, 'Watch', { answers: 'many' }),
}

/** These calls need no key, because health probes have none. */
export const healthCalls: UntypedServiceImplementation = {
  Check(call: ServerUnaryCall<Buffer, Uint8Array>, answer: sendUnaryData<Uint8Array>) {
    const service = serviceIn(call.request)
    if (service !== undefined && SERVED.has(service)) answer(null, response.encode({ status: SERVING }))
    else answer({ code: status.NOT_FOUND, details: 'There is no such service here' })
  },
  List(_call: ServerUnaryCall<Buffer, Uint8Array>, answer: sendUnaryData<Uint8Array>) {
    answer(null, list.encode({ statuses: new Map([...SERVED].map((name) => [name, { status: SERVING }])) }))
  },
  /** Sends the status, and stays open until the server stops. */
  Watch(call: ServerWritableStream<Buffer, Uint8Array>) {
    const service = serviceIn(call.request)
    call.write(response.encode({ status: service !== undefined && SERVED.has(service) ? SERVING : SERVICE_UNKNOWN }))
  },
}

function serviceIn(bytes: Buffer): string | undefined {
  try {
    return request.decode(bytes).service ?? ''
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
