import { CONNECTION_LOST, driverFault, isLostByCode, oneLine } from '@grainline/core/vendor'

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

export function engineMessage(error: unknown): string {
  if (isLost(error)) return CONNECTION_LOST
  if (codeOf(error) === DEADLINE_EXCEEDED) return 'The statement took longer than the time-out of the configuration'
  const { details } = driverFault(error)
  return oneLine(details ? new Error(String(details)) : error)
}
