import { CONNECTION_LOST, driverFault, isLostByCode, oneLine, type StatementFault } from '@grainline/core/vendor'

/** Too many requests, or a warehouse that is starting. */
const BUSY: ReadonlySet<unknown> = new Set([429, 502, 503, 504])

export const isTransient = (error: unknown): boolean => BUSY.has(driverFault(error).statusCode) || isLost(error)

/** The connection is gone, or the session, which expires if it is not used. */
export const isLost = (error: unknown): boolean => isLostByCode(error) || GONE.test(String(driverFault(error).message))

const GONE = /socket hang up|premature close|Error when connecting to resource|Invalid SessionHandle/i

/** The engine reports it for a statement that it stopped, the driver for a statement whose state it reads afterwards. */
export const ranOutOfTime = (error: unknown): boolean =>
  /timed out after|query timeout|in a timed out state/i.test(String(driverFault(error).message))

/** Error classes: https://docs.databricks.com/aws/en/error-messages/error-classes */
export function statementFault(error: unknown): StatementFault | undefined {
  const message = String(driverFault(error).message)
  if (/\[(ARITHMETIC_OVERFLOW|CAST_OVERFLOW|NUMERIC_VALUE_OUT_OF_RANGE|DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION)\b/.test(message))
    return 'numeric-overflow'
  return /\[UNRESOLVED_ROUTINE\b/.test(message) ? 'unknown-function' : undefined
}

/** The engine's message ends with its own source position. */
export const engineMessage = (error: unknown): string =>
  isLost(error) ? CONNECTION_LOST : oneLine(error).replace(/ at (org|java|scala|com)\.[\w.$]+\(.*$/s, '')
