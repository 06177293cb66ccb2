import { homedir } from 'node:os'
import { GrainlineError } from '@grainline/core'
import { type ResultSchema, type StatementFault, statementError } from '@grainline/core/vendor'

/** The engine's own message as one line: without the quoted statement, and with the paths of the host's user shortened. */
export function engineMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [message = ''] = text.split(/\nLINE \d+:/)
  return message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll(homedir(), '~')
}

/** What DuckDB refused, as the error of a surface. Our own errors pass through, and so do those of a fault in the code. */
export function databaseError(error: unknown, schema: ResultSchema = []): unknown {
  // The driver throws plain errors only.
  if (!(error instanceof Error) || error.constructor !== Error) return error
  const message = engineMessage(error)
  const fault = faultOf(message)
  if (fault) return statementError(fault, message, schema, error)
  const budget = budgetOf(message)
  return budget === undefined ? new GrainlineError('DATABASE_ERROR', ...wordsOf(message, error)) : tooLarge(budget, error)
}

/** A table that is missing is often one of a database that nothing names. DuckDB then suggests one of its own tables. */
function wordsOf(
  message: string,
  cause: Error,
): readonly [message: string, options: { readonly cause: Error; readonly hint?: string }] {
  const [, name, near] = /^Catalog Error: Table with name (.+) does not exist!(?: Did you mean "(.+)"\?)?/.exec(message) ?? []
  if (name === undefined) return [message, { cause }]
  const meant = near === undefined || /^(pg|sqlite|duckdb)_|^information_schema/.test(near) ? '' : `; did you mean '${near}'?`
  return [
    `The database has no table '${name}'${meant}`,
    { cause, hint: 'Correct its name, or name its database by DUCKDB_DATABASE.' },
  ]
}

/** The statement has used up a budget, or the engine grew beyond it. */
export const tooLarge = (budget: string = MEMORY, cause?: Error): GrainlineError =>
  new GrainlineError('STATEMENT_TOO_LARGE', `The statement needs more memory than it may have (${budget})`, {
    hint: `Narrow the question; the operator may raise ${budget}.`,
    ...(cause && { cause }),
  })

const MEMORY = 'DUCKDB_MEMORY_LIMIT'

/** The setting that a statement has used up. */
function budgetOf(message: string): string | undefined {
  if (!/^Out of Memory/i.test(message)) return undefined
  return /temp_directory_size|offload|write to disk/i.test(message) ? `DUCKDB_TEMP_LIMIT or ${MEMORY}` : MEMORY
}

/** The engine has no codes, so its messages decide. */
function faultOf(message: string): StatementFault | undefined {
  if (message.includes('TREE_TOO_DEEP')) return 'tree-too-deep'
  if (
    /^Out of Range Error: Overflow in |^Conversion Error: .*(value is out of range|out of range for the destination type)|^Conversion Error: Could not cast value .* to DECIMAL/.test(
      message,
    )
  )
    return 'numeric-overflow'
  return /^Catalog Error: (Scalar|Aggregate) Function with name .* does not exist/.test(message) ? 'unknown-function' : undefined
}
