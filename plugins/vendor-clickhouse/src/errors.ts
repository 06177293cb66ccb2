import { CONNECTION_LOST, driverFault, isLostByCode, oneLine, type StatementFault } from '@grainline/core/vendor'

/** Too many queries at once, a time-out or a fault of the network between servers: https://clickhouse.com/docs/operations/errors */
const TRANSIENT: readonly string[] = ['202', '209', '210', '279']

export const isTransient = (error: unknown): boolean => TRANSIENT.includes(String(driverFault(error).code)) || isLost(error)

/** The connection is gone. */
export const isLost = (error: unknown): boolean =>
  isLostByCode(error) || /^(socket hang up|aborted|premature close)$/i.test(String(driverFault(error).message))

/** TIMEOUT_EXCEEDED; older servers write the code only into the message. */
export const ranOutOfTime = (error: unknown): boolean =>
  String(driverFault(error).code) === '159' || /^Code: 159\b/.test(String(driverFault(error).message))

/** DECIMAL_OVERFLOW, also of integers, which are computed as decimals; UNKNOWN_FUNCTION. */
export function statementFault(error: unknown): StatementFault | undefined {
  const { code, message } = driverFault(error)
  const number = String(code ?? /^Code: (\d+)/.exec(String(message))?.[1])
  return number === '407' ? 'numeric-overflow' : number === '46' ? 'unknown-function' : undefined
}

export const engineMessage = (error: unknown): string => (isLost(error) ? CONNECTION_LOST : oneLine(error))

/** The text that a server before 25.11 writes after the rows when a statement fails midway; later ones report it to the driver. */
const WRITTEN = /^Code: (\d+)[.,] .*?DB::(?:\w*Exception): (.*)$/s

/** The error in place of a row, if there is one. */
export function writtenFault(line: string): Error | undefined {
  const [, code, message] = WRITTEN.exec(line) ?? []
  return code === undefined ? undefined : Object.assign(new Error(message), { code })
}
