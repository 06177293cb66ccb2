import { CONNECTION_LOST, driverFault, isLostByCode, oneLine, type StatementFault } from '@grainline/core/vendor'

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

/** The interface has one reason for every invalid query, so the message decides. */
export function statementFault(error: unknown): StatementFault | undefined {
  const message = String(driverFault(error).message)
  if (/\b(int64|numeric|bignumeric|double|float64) overflow\b/i.test(message)) return 'numeric-overflow'
  return /\bFunction not found\b/i.test(message) ? 'unknown-function' : undefined
}

export const engineMessage = (error: unknown): string => (isLost(error) ? CONNECTION_LOST : oneLine(error))
