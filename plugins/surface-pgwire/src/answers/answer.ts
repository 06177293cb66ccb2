import { GrainlineError } from '@grainline/core'
import type { RowStream } from '../rows/row-block.js'
import type { SelectStatement } from '../statements/statement.js'
import type { Field, Format } from '../wire/messages.js'
import { PgError, refuse } from '../wire/pg-error.js'

/** Values that a client binds to parameters, in one of the two formats each. */
export interface Bound {
  /** Types as the client declared them; 0 is undeclared. */
  readonly types: readonly number[]
  readonly values: readonly (Buffer | null)[]
  readonly valueFormats: readonly Format[]
}

export interface Description {
  readonly parameters: readonly number[]
  readonly fields: readonly Field[]
}

/** Somebody who answers SELECTs: the models, their catalogue, or the surface itself. */
export interface Answerer {
  /** Types of parameters and columns, without running anything. */
  describe(statement: SelectStatement, types: readonly number[], signal: AbortSignal): Promise<Description>
  /** `formats` are the formats in which the rows will probably be requested. */
  open(statement: SelectStatement, bound: Bound, formats: readonly Format[], signal: AbortSignal): Promise<RowStream>
}

export const UNBOUND: Bound = { types: [], values: [], valueFormats: [] }

/** Replaces the catalogue where there is none. */
export const noCatalog: Answerer = {
  describe: async () => refuseCatalog(),
  open: async () => refuseCatalog(),
}

function refuseCatalog(): never {
  return refuse('0A000', 'this statement reads no model, and the catalogue is switched off (PGWIRE_CATALOG=off)', {
    hint: 'PGWIRE_CATALOG=lazy answers what tools ask about tables and columns.',
  })
}

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
