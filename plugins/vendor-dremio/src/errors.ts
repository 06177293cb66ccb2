import { CONNECTION_LOST, driverFault, isLostByCode, oneLine, type StatementFault } from '@grainline/core/vendor'

/** https://grpc.io/docs/guides/status-codes/ */
const DEADLINE_EXCEEDED = 4
const RESOURCE_EXHAUSTED = 8
const ABORTED = 10
const UNAVAILABLE = 14

const codeOf = (error: unknown): number => Number(driverFault(error).code)

export const isTransient = (error: unknown): boolean => [RESOURCE_EXHAUSTED, ABORTED].includes(codeOf(error)) || isLost(error)

/** The engine does not answer, or no longer. */
export const isLost = (error: unknown): boolean => codeOf(error) === UNAVAILABLE || isLostByCode(error)

export const ranOutOfTime = (error: unknown): boolean => codeOf(error) === DEADLINE_EXCEEDED

/** The protocol has one status for every refused statement, so the message decides. */
export function statementFault(error: unknown): StatementFault | undefined {
  const message = String(driverFault(error).details ?? driverFault(error).message)
  if (/\boverflow\b/i.test(message)) return 'numeric-overflow'
  return /No match found for function signature/i.test(message) ? 'unknown-function' : undefined
}

export function engineMessage(error: unknown): string {
  if (isLost(error)) return CONNECTION_LOST
  if (codeOf(error) === DEADLINE_EXCEEDED) return 'The statement took longer than the time-out of the configuration'
  const { details } = driverFault(error)
  return oneLine(details ? new Error(String(details)) : error)
}
