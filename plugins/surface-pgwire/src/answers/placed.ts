import { GrainlineError } from '@grainline/core'
import type { SelectStatement } from '../statements/statement.js'
import { PgError } from '../wire/pg-error.js'

/** Rethrows a refusal of a statement with its place counted from the start of what the client sent. */
export const placed =
  ({ offset }: SelectStatement) =>
  (error: unknown): never => {
    if (error instanceof PgError && error.fields.position !== undefined)
      throw new PgError(error.sqlState, error.message, { ...error.fields, position: error.fields.position + offset })
    const position = error instanceof GrainlineError ? error.details.context?.position : undefined
    if (!(error instanceof GrainlineError) || typeof position !== 'number') throw error
    const context = { ...error.details.context, position: position + offset }
    throw new GrainlineError(error.code, error.message, { ...error.details, context })
  }
