import { GrainlineError } from '@grainline/core'
import type { RowStream } from '../rows/row-block.js'
import type { SelectStatement } from '../statements/statement.js'
import type { Field, Format } from '../wire/messages.js'
import { PgError, refuse } from '../wire/pg-error.js'

/** The values that a client binds to parameters, each as text or in binary. */
export interface Bound {
  /** The types that the client declared; 0 means undeclared. */
  readonly types: readonly number[]
  readonly values: readonly (Buffer | null)[]
  readonly valueFormats: readonly Format[]
}

export interface Description {
  readonly parameters: readonly number[]
  readonly fields: readonly Field[]
}

/** Answers SELECTs. There is one for models, one for the catalogue, and one for questions about the connection. */
export interface Answerer {
  /** The types of parameters and columns. No query runs. */
  describe(statement: SelectStatement, types: readonly number[], signal: AbortSignal): Promise<Description>
  /**
   * Refuses a faulty statement when it is parsed, as PostgreSQL does: some clients send further messages after the answer to Parse, which
   * would fail, too, and with them the ROLLBACK behind them. `undefined` if the fault may depend on values.
   */
  check?(statement: SelectStatement, types: readonly number[], signal: AbortSignal): Promise<Description | undefined>
  /** `formats` are the formats that the client will probably request. */
  open(statement: SelectStatement, bound: Bound, formats: readonly Format[], signal: AbortSignal): Promise<RowStream>
}

export const UNBOUND: Bound = { types: [], values: [], valueFormats: [] }

/** Refuses questions to the catalogue if it is switched off. */
export const noCatalog: Answerer = {
  describe: async () => refuseCatalog(),
  open: async () => refuseCatalog(),
}

function refuseCatalog(): never {
  return refuse('0A000', 'this statement reads no model, and the catalogue is switched off (PGWIRE_CATALOG=off)', {
    hint: 'PGWIRE_CATALOG=lazy answers what tools ask about tables and columns.',
  })
}

/** Rethrows an error with its position counted from the start of the text that the client sent. */
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
