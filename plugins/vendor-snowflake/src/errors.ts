import { CONNECTION_LOST, driverFault, isLostByCode, oneLine, type StatementFault } from '@grainline/core/vendor'

/** Codes of the driver: no answer, an invalid one, a lost session. https://github.com/snowflakedb/snowflake-connector-nodejs/blob/master/lib/error_code.js */
const LOST: readonly string[] = ['401001', '401002', '402001', '402002', '407001', '407002', '390111', '390112', '390114']
/** A warehouse that is being started or resumed, and a lock that was not had in time. */
const TRANSIENT: readonly string[] = ['000605', '000625', '090073', '090109']

const codeOf = (error: unknown): string => String(driverFault(error).code ?? '').padStart(6, '0')

export const isTransient = (error: unknown): boolean => TRANSIENT.includes(codeOf(error)) || isLost(error)

/** Nothing was heard of the account, or the session is over. */
export const isLost = (error: unknown): boolean =>
  LOST.includes(codeOf(error)) || isLostByCode(error) || isLostByCode(driverFault(error).cause)

/** "Statement reached its statement or warehouse timeout" */
export const ranOutOfTime = (error: unknown): boolean => codeOf(error) === '000630'

/** "Number out of representable range" and other errors of the class 22003; "Unknown function". */
export function statementFault(error: unknown): StatementFault | undefined {
  const code = codeOf(error)
  if (driverFault(error).sqlState === '22003' || code === '100046' || code === '100039') return 'numeric-overflow'
  return code === '002140' || code === '002141' ? 'unknown-function' : undefined
}

export const engineMessage = (error: unknown): string => (isLost(error) ? CONNECTION_LOST : oneLine(error))
