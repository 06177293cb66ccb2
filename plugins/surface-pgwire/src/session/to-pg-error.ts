import { type ErrorCode, type Finding, GrainlineError, type Logger } from '@grainline/core'
import { PgError } from '../wire/pg-error.js'

/** The SQLSTATE of each code (manual, "PostgreSQL Error Codes"). Other errors of the client are 42000. */
const states: Partial<Record<ErrorCode, string>> = {
  UNKNOWN_SELECT_ITEM: '42703',
  UNKNOWN_DIMENSION: '42703',
  UNKNOWN_MEASURE: '42703',
  UNKNOWN_FILTER_FIELD: '42703',
  UNKNOWN_ORDER_BY_FIELD: '42703',
  RAW_FIELD_UNKNOWN_COLUMN: '42703',
  FIELD_NOT_FOUND: '42703',
  INVALID_ORDER_BY_POSITION: '42P10',
  RAW_SQL_REJECTED: '42P01',
  NO_MODEL_SELECTED: '42P01',
  CONFLICT: '42P01',
  MODEL_NOT_FOUND: '42P01',
  SESSION_NOT_FOUND: '3D000',
  WRITE_OPERATION_REJECTED: '25006',
  UNSUPPORTED_SQL_FEATURE: '0A000',
  UNSUPPORTED_FEATURE: '0A000',
  UNSUPPORTED_FUNCTION: '0A000',
  UNSUPPORTED_AGGREGATION: '0A000',
  UNSUPPORTED_DIALECT: '0A000',
  EXECUTION_DISABLED: '0A000',
  DEFAULT_LIMIT_EXCEEDED: '54000',
  EVALUATION_TOO_LARGE: '54000',
  ANSWER_TOO_LARGE: '54000',
  QUERY_TIMEOUT: '57014',
  QUERY_CANCELLED: '57014',
  READER_TOO_SLOW: '57014',
  SHUTTING_DOWN: '57P01',
  POOL_EXHAUSTED: '53300',
  TOO_MANY_STATEMENTS: '53300',
  VENDOR_UNAVAILABLE: '08001',
  NO_CONNECTION: '08001',
  DATABASE_ERROR: '58000',
  NUMERIC_OVERFLOW: '22003',
  EXPRESSION_TYPE_MISMATCH: '42804',
  RESULT_TYPE_MISMATCH: '42804',
  AUTH_REQUIRED: '28P01',
  AUTH_INVALID: '28P01',
  ON_BEHALF_REFUSED: '28000',
}
// A plugin defines this code, so it is not an `ErrorCode`.
const byName: Readonly<Record<string, string>> = { ...states, SQL_SYNTAX_ERROR: '42601' }

/** Converts any error to a PostgreSQL error. An unexpected one is logged, and the client only gets a general message. */
export function toPgError(error: unknown, logger: Logger): PgError {
  if (error instanceof PgError) return error
  if (error instanceof GrainlineError && error.code !== 'INTERNAL_ERROR') return fromRefusal(error)
  logger.error({ err: error }, 'A statement failed')
  return new PgError('XX000', 'internal error')
}

function fromRefusal(error: GrainlineError): PgError {
  const { hint, suggestions, context } = error.details
  const position = context?.position
  const near =
    suggestions === undefined || suggestions.length === 0
      ? undefined
      : `Perhaps you meant ${suggestions
          .slice(0, 3)
          .map((name) => `"${name}"`)
          .join(', ')}.`
  return new PgError(byName[error.code] ?? (error.status < 500 ? '42000' : '58000'), error.message, {
    detail: error.code,
    hint: hint ?? near,
    position: typeof position === 'number' ? position : undefined,
  })
}

/** Converts a warning about an answer to a notice. */
export const toNotice = ({ code, message, hint }: Finding): PgError =>
  new PgError('01000', message, { severity: 'NOTICE', detail: code, hint })
