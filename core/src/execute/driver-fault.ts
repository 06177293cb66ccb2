/** What is known of whatever a driver throws. */
export interface DriverFault {
  readonly code?: unknown
  readonly errno?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  /** Further words of PostgreSQL. */
  readonly detail?: unknown
  readonly hint?: unknown
  /** Of a call over gRPC. */
  readonly details?: unknown
  /** Of a request over HTTP. */
  readonly statusCode?: unknown
  /** Of a request that failed in several ways, or at several addresses. */
  readonly errors?: unknown
}

/** What a driver threw, as a record whose parts may be read; empty where it is no object. */
export const driverFault = (error: unknown): DriverFault => (typeof error === 'object' && error !== null ? error : {})

/** The system's words for a server that is gone, or that never was there. */
const LOST = /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_AGAIN|ERR_STREAM_PREMATURE_CLOSE)$/

/** True when the code of the error says that the server is gone or was never there. */
export const isLostByCode = (error: unknown): boolean => LOST.test(String(driverFault(error).code))

/** In place of what a driver says of a lost connection, which holds addresses. */
export const CONNECTION_LOST = 'The connection to the database was lost or refused'

/** The engine's own message as one line. */
export const oneLine = (error: unknown): string =>
  String(driverFault(error).message ?? error)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')

/** What the driver says, addresses included: for the log of the operator alone. Of several addresses, the first. */
export const ownWords = (error: unknown): string => {
  const { errors } = driverFault(error)
  return oneLine(Array.isArray(errors) ? errors[0] : error)
}
