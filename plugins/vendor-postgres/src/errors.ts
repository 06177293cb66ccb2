import { CONNECTION_LOST, driverFault, isLostByCode, oneLine, type StatementFault } from '@grainline/core/vendor'

/** Classes and codes after which a statement is worth another try: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const TRANSIENT = /^(08|40001$|40P01$|53300$|57P0[1-3]$)/
const ENDED = /^57P0[1-3]$/

const codeOf = (error: unknown): string => String(driverFault(error).code ?? '')

export const isTransient = (error: unknown): boolean => TRANSIENT.test(codeOf(error)) || isLost(error)

/** The connection is gone: the database closed it, or the error of the driver has no code of the database. */
export const isLost = (error: unknown): boolean =>
  ENDED.test(codeOf(error)) ||
  isLostByCode(error) ||
  (error instanceof Error && /^(Connection terminated|Client has encountered a connection error)/.test(error.message))

/** `query_canceled`, but not by `pg_cancel_backend`, which an administrator may have called. */
export const ranOutOfTime = (error: unknown): boolean =>
  codeOf(error) === '57014' && /timeout/i.test(String(driverFault(error).message))

/** `numeric_value_out_of_range`, and `undefined_function` if it is a function and not an operator. */
export function statementFault(error: unknown): StatementFault | undefined {
  const code = codeOf(error)
  if (code === '22003') return 'numeric-overflow'
  return code === '42883' && String(driverFault(error).message).startsWith('function ') ? 'unknown-function' : undefined
}

export function engineMessage(error: unknown): string {
  if (isLost(error)) return CONNECTION_LOST
  const { detail, hint } = driverFault(error)
  return [oneLine(error), detail, hint]
    .filter((part) => part !== undefined && part !== '')
    .map(oneLine)
    .join('; ')
}
