import { CONNECTION_LOST, driverFault, isLostByCode, oneLine, type StatementFault } from '@grainline/core/vendor'

/** Deadlock, lock wait, too many connections, shutdown: https://dev.mysql.com/doc/mysql-errors/8.0/en/server-error-reference.html */
const TRANSIENT: readonly number[] = [1205, 1213, 1040, 1053, 1927]
const ENDED: readonly number[] = [1053, 1927]

export const isTransient = (error: unknown): boolean => TRANSIENT.includes(Number(driverFault(error).errno)) || isLost(error)

/** The connection is gone. */
export const isLost = (error: unknown): boolean =>
  isLostByCode(error) ||
  /^PROTOCOL_(CONNECTION_LOST|ENQUEUE_AFTER_FATAL_ERROR)$/.test(String(driverFault(error).code)) ||
  ENDED.includes(Number(driverFault(error).errno)) ||
  /closed state|connection is in closed/i.test(String(driverFault(error).message))

/** ER_QUERY_TIMEOUT of MySQL, ER_STATEMENT_TIMEOUT of MariaDB. */
export const ranOutOfTime = (error: unknown): boolean => [3024, 1969].includes(Number(driverFault(error).errno))

/** ER_DATA_OUT_OF_RANGE and ER_WARN_DATA_OUT_OF_RANGE; ER_SP_DOES_NOT_EXIST, and ER_FUNC_INEXISTENT_NAME_COLLISION of MariaDB. */
export function statementFault(error: unknown): StatementFault | undefined {
  const code = Number(driverFault(error).errno)
  if (code === 1690 || code === 1264) return 'numeric-overflow'
  return code === 1305 || code === 1630 ? 'unknown-function' : undefined
}

export const engineMessage = (error: unknown): string => (isLost(error) ? CONNECTION_LOST : oneLine(error))
