const LOST = /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENOENT|PROTOCOL_CONNECTION_LOST|PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR)$/
/** Deadlock, lock wait, too many connections, shutdown: https://dev.mysql.com/doc/mysql-errors/8.0/en/server-error-reference.html */
const TRANSIENT: readonly number[] = [1205, 1213, 1040, 1053, 1927]

const partsOf = (error: unknown) =>
  (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: unknown
    readonly errno?: unknown
    readonly message?: unknown
  }

export const isTransient = (error: unknown): boolean => TRANSIENT.includes(Number(partsOf(error).errno)) || isLost(error)

/** The connection is gone. */
export const isLost = (error: unknown): boolean =>
  LOST.test(String(partsOf(error).code)) ||
  [1053, 1927].includes(Number(partsOf(error).errno)) ||
  /closed state|connection is in closed/i.test(String(partsOf(error).message))

/** The engine's own message as one line. Where the connection is gone, in words of ours: the driver's hold addresses. */
export function engineMessage(error: unknown): string {
  if (isLost(error)) return 'The connection to the database was lost or refused'
  return String(partsOf(error).message ?? error).replace(/\s*\n\s*/g, ' ')
}
