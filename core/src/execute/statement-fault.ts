import { GrainlineError } from '../errors.js'
import { isNumeric } from '../model/data-type.js'
import type { ResultSchema } from '../result/record-batch.js'

/** Why a database refused a statement, where every engine knows the reason and the author of the model can do something about it. */
export type StatementFault = 'numeric-overflow' | 'unknown-function' | 'tree-too-deep'

/** Whether a database fails because a statement told it to: the text of the function `too_deep` is in every engine's message. */
export const isTooDeep = (message: string): boolean => message.includes('TREE_TOO_DEEP')

/** The refusal in the words of the engine. `schema`: the columns that the statement computes. */
export function statementError(fault: StatementFault, message: string, schema: ResultSchema, cause: unknown): GrainlineError {
  if (fault === 'unknown-function') {
    const hint = 'Use a function that every engine has (docs/reference/functions.md), or one that this database has.'
    return new GrainlineError('UNSUPPORTED_FUNCTION', `The database has no function that the model calls: ${message}`, {
      hint,
      cause,
    })
  }
  if (fault === 'tree-too-deep') {
    const [, depth] = /TREE_TOO_DEEP (\d+)/.exec(message) ?? []
    const limit = depth === undefined ? 'maxDepth' : `${depth} steps, the maxDepth`
    return new GrainlineError('TREE_TOO_DEEP', `A row of a tree is further below another than ${limit} of its closure`, {
      hint: 'Find the long chain with verify and correct it, or give the closure a greater maxDepth.',
      cause,
    })
  }
  const fields = schema.filter(({ type }) => isNumeric(type)).map(({ name }) => name)
  const [only] = fields
  return new GrainlineError('NUMERIC_OVERFLOW', `A number is too large for its type${placeOf(fields)}: ${message}`, {
    hint: 'Compute with doubles, as in CAST({Amount} AS float) * 1000, or filter out the rows that make it so large.',
    ...(fields.length === 1 && only !== undefined && { path: only }),
    context: { fields },
    cause,
  })
}

const MOST_NAMED = 5

/** The engine does not say which column it computed. */
function placeOf(fields: readonly string[]): string {
  if (fields.length === 0 || fields.length > MOST_NAMED) return ''
  return ` in ${fields.map((name) => `'${name}'`).join(' or ')}`
}
