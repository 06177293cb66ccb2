/** The readable parts of an error that a driver throws. */
export interface DriverFault {
  readonly code?: unknown
  readonly errno?: unknown
  readonly sqlState?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  /** Further text of a database error. */
  readonly detail?: unknown
  readonly hint?: unknown
  /** For a call over gRPC. */
  readonly details?: unknown
  /** For a request over HTTP. */
  readonly statusCode?: unknown
  /** For a request with several errors, or that failed at several addresses. */
  readonly errors?: unknown
}

/** The error of a driver as a record of its parts; empty if it is not an object. */
export const driverFault = (error: unknown): DriverFault => (typeof error === 'object' && error !== null ? error : {})

/** System error codes for a server that is gone, or never existed. */
const LOST = /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_AGAIN|ERR_STREAM_PREMATURE_CLOSE)$/

/** True if the code of the error means that the server is gone or never existed. */
export const isLostByCode = (error: unknown): boolean => LOST.test(String(driverFault(error).code))

/** Replaces the driver's message about a lost connection, which contains addresses. */
export const CONNECTION_LOST = 'The connection to the database was lost or refused'

/** The engine's own message as one line. */
export const oneLine = (error: unknown): string =>
  String(driverFault(error).message ?? error)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')

/** The message of the driver with addresses: only for the log of the operator. Of several addresses, the first. */
export const ownWords = (error: unknown): string => {
  const { errors } = driverFault(error)
  return oneLine(Array.isArray(errors) ? errors[0] : error)
}
