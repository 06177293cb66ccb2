/** What a principal whom access rules bind does not see: statements, plans, tables, and what a database says about them. */
import { fail, GrainlineError, warning } from '../errors.js'
import { withholdsSql } from '../model/access.js'
import type { SemanticModel } from '../model/semantic-model.js'

const SAYS = 'Access rules of the model bind you, so its SQL, plans and text are not shown'

export const WITHHELD_WARNING = warning('SQL_WITHHELD', SAYS)

export const refuseSql = (): never => fail('SQL_WITHHELD', SAYS)

/** Throws `SQL_WITHHELD` for a view that shows no SQL. */
export function refuseIfWithheld(model: Pick<SemanticModel, 'restriction'>): void {
  if (withholdsSql(model)) refuseSql()
}

/** Errors whose message is that of a database. */
const OF_DATABASE: ReadonlySet<string> = new Set([
  'DATABASE_ERROR',
  'NUMERIC_OVERFLOW',
  'UNSUPPORTED_FUNCTION',
  'STATEMENT_TOO_LARGE',
])

/** The error as the principal sees it: without the words of the database, which may contain parts of the statement or of rows. */
export function errorFor(error: unknown, model: Pick<SemanticModel, 'restriction'>): unknown {
  if (!withholdsSql(model) || (error instanceof GrainlineError && !OF_DATABASE.has(error.code))) return error
  const code = error instanceof GrainlineError ? error.code : 'DATABASE_ERROR'
  return new GrainlineError(code, 'The database could not answer the query; access rules bind you, so its message is not shown')
}

/** The values, with the errors of their source as the principal sees them. */
export async function* withErrorsFor<T>(values: AsyncIterable<T>, model: Pick<SemanticModel, 'restriction'>): AsyncGenerator<T> {
  try {
    yield* values
  } catch (error) {
    throw errorFor(error, model)
  }
}
