import { CONNECTION_LOST, driverFault, isLostByCode, oneLine, type StatementFault } from '@grainline/core/vendor'

/** The error in an answer: https://trino.io/docs/current/develop/client-protocol.html#queryresults-attributes */
export interface WrittenFault {
  readonly message: string
  readonly errorName: string
}

export const faultOf = ({ message, errorName }: WrittenFault): Error => Object.assign(new Error(message), { code: errorName })

/** A request that was not answered as the protocol has it. */
export const httpFault = (status: number, text: string): Error =>
  Object.assign(new Error(`HTTP ${status}${text === '' ? '' : `: ${text.slice(0, 500)}`}`), { code: status })

/** Too busy, or temporarily unavailable: https://trino.io/docs/current/develop/client-protocol.html */
export const BUSY: readonly unknown[] = [429, 502, 503, 504]

/** The cluster is not ready, or lost a part of itself: `StandardErrorCode` of Trino. */
const TRANSIENT: readonly unknown[] = [
  'SERVER_STARTING_UP',
  'SERVER_SHUTTING_DOWN',
  'NO_NODES_AVAILABLE',
  'QUERY_QUEUE_FULL',
  'REMOTE_HOST_GONE',
  'REMOTE_TASK_ERROR',
  'PAGE_TRANSPORT_ERROR',
  'PAGE_TRANSPORT_TIMEOUT',
  'TOO_MANY_REQUESTS_FAILED',
]

export const isTransient = (error: unknown): boolean => {
  const { code } = driverFault(error)
  return TRANSIENT.includes(code) || BUSY.includes(code) || isLost(error)
}

/** The connection is gone. */
export const isLost = (error: unknown): boolean =>
  isLostByCode(error) || /^UND_ERR_(SOCKET|CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT)$/.test(String(driverFault(error).code))

export const ranOutOfTime = (error: unknown): boolean => driverFault(error).code === 'EXCEEDED_TIME_LIMIT'

/** `StandardErrorCode` of Trino. */
const FAULTS: ReadonlyMap<unknown, StatementFault> = new Map([
  ['NUMERIC_VALUE_OUT_OF_RANGE', 'numeric-overflow'],
  ['FUNCTION_NOT_FOUND', 'unknown-function'],
])

export const statementFault = (error: unknown): StatementFault | undefined => FAULTS.get(driverFault(error).code)

export const engineMessage = (error: unknown): string => (isLost(error) ? CONNECTION_LOST : oneLine(error))
