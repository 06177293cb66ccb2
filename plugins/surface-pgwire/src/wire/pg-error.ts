/** A refusal as PostgreSQL tells it. `sqlState` is a code of the manual's appendix "Error Codes"; `position` counts characters from 1. */
export interface ErrorFields {
  readonly severity?: 'ERROR' | 'FATAL' | 'WARNING' | 'NOTICE'
  readonly detail?: string | undefined
  readonly hint?: string | undefined
  readonly position?: number | undefined
}

export class PgError extends Error {
  override readonly name = 'PgError'

  constructor(
    readonly sqlState: string,
    message: string,
    readonly fields: ErrorFields = {},
  ) {
    super(message)
  }
}

/** Throws a `PgError`; reads as a sentence at the place of the fault. */
export function refuse(sqlState: string, message: string, fields?: ErrorFields): never {
  throw new PgError(sqlState, message, fields)
}

/** Ends the connection: the client broke the protocol, or may not be here. */
export const fatal = (sqlState: string, message: string, fields: ErrorFields = {}): PgError =>
  new PgError(sqlState, message, { ...fields, severity: 'FATAL' })
