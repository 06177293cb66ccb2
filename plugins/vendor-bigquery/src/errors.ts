import { CONNECTION_LOST, driverFault, isLostByCode, oneLine } from '@grainline/core/vendor'

/** https://cloud.google.com/bigquery/docs/error-messages */
const REASONS =
  /^(backendError|internalError|jobBackendError|jobInternalError|jobRateLimitExceeded|rateLimitExceeded|tableUnavailable)$/
const STATUS: readonly string[] = ['429', '500', '502', '503', '504']

function reasons(error: unknown): readonly string[] {
  const { errors } = driverFault(error)
  return Array.isArray(errors) ? errors.map(({ reason }) => String(reason ?? '')) : []
}

export const isTransient = (error: unknown): boolean =>
  STATUS.includes(String(driverFault(error).code)) || reasons(error).some((reason) => REASONS.test(reason)) || isLost(error)

/** Nothing was heard of the interface. */
export const isLost = (error: unknown): boolean =>
  isLostByCode(error) || /socket hang up|ECONNREFUSED|ECONNRESET|Premature close/i.test(String(driverFault(error).message))

export const ranOutOfTime = (error: unknown): boolean => /timed out/i.test(String(driverFault(error).message))

export const engineMessage = (error: unknown): string => (isLost(error) ? CONNECTION_LOST : oneLine(error))
