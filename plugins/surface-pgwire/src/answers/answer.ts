import type { RowStream } from '../rows/row-block.js'
import type { SelectStatement } from '../statements/statement.js'
import type { Field, Format } from '../wire/messages.js'

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
