/** An error in PostgreSQL's form. `sqlState` is a code of the manual's appendix "Error Codes"; `position` counts characters from 1. */
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

/** Throws a `PgError`. */
export function refuse(sqlState: string, message: string, fields?: ErrorFields): never {
  throw new PgError(sqlState, message, fields)
}

/** An error that ends the connection: the client violated the protocol or is not allowed to connect. */
export const fatal = (sqlState: string, message: string, fields: ErrorFields = {}): PgError =>
  new PgError(sqlState, message, { ...fields, severity: 'FATAL' })
