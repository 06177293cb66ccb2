/** Converts errors to gRPC statuses: https://grpc.io/docs/guides/status-codes/ */

import { codeOf, type ErrorCode, GrainlineError, type Logger } from '@grainline/core'
import { Metadata, type ServerErrorResponse, status } from '@grpc/grpc-js'

/** An error about the protocol, not about a query. */
export class FlightError extends Error {
  constructor(
    readonly code: status,
    message: string,
  ) {
    super(message)
  }
}

export const invalid = (message: string): FlightError => new FlightError(status.INVALID_ARGUMENT, message)
export const unimplemented = (message: string): FlightError => new FlightError(status.UNIMPLEMENTED, message)

/** The gRPC status for an HTTP status, unless the error code has a better one. */
const byHttp: ReadonlyMap<number, status> = new Map([
  [401, status.UNAUTHENTICATED],
  [403, status.PERMISSION_DENIED],
  [404, status.NOT_FOUND],
  [413, status.RESOURCE_EXHAUSTED],
  [429, status.RESOURCE_EXHAUSTED],
  [499, status.CANCELLED],
  [500, status.INTERNAL],
  [502, status.INTERNAL],
  [503, status.UNAVAILABLE],
  [504, status.DEADLINE_EXCEEDED],
])
const byCode: Partial<Record<ErrorCode, status>> = {
  EXECUTION_DISABLED: status.FAILED_PRECONDITION,
  EVALUATION_TOO_LARGE: status.RESOURCE_EXHAUSTED,
  // An unknown field is a fault of the statement, so NOT_FOUND would be misleading.
  FIELD_NOT_FOUND: status.INVALID_ARGUMENT,
}

/** The limit for characters of a message. It is sent in a header, where a byte may take three, and clients accept 8 KB of headers. */
const LONGEST = 2000

/** Converts any error to a gRPC status. An unexpected one is logged, and the client only gets a general message. */
export function toStatus(error: unknown, logger: Logger): Partial<ServerErrorResponse> & { code: status; details: string } {
  if (error instanceof FlightError) return { code: error.code, details: shortened(error.message) }
  if (error instanceof GrainlineError && error.code !== 'INTERNAL_ERROR') {
    const metadata = new Metadata()
    metadata.set('grainline-code', error.code)
    return { code: byCode[error.code] ?? byHttp.get(error.status) ?? status.INVALID_ARGUMENT, details: sentence(error), metadata }
  }
  // The client disconnected while its messages were read.
  if (codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE') return { code: status.CANCELLED, details: 'The client disconnected' }
  logger.error({ err: error }, 'A call failed')
  return { code: status.INTERNAL, details: 'internal error' }
}

function sentence({ code, message, details: { hint, suggestions = [], context } }: GrainlineError): string {
  const line = context?.['line']
  const place = typeof line === 'number' ? ` (line ${line}, column ${context?.['column']})` : ''
  const near =
    suggestions.length > 0 && !message.includes(String(suggestions[0]))
      ? ` Similar names: ${suggestions.slice(0, 3).join(', ')}.`
      : ''
  return shortened(`${code}: ${message}${place}.${hint === undefined ? near : ` ${hint}`}`)
}

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)
