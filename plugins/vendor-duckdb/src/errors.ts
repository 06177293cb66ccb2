import { homedir } from 'node:os'
import { GrainlineError } from '@grainline/core'

/** The engine's own message as one line: without the quoted statement, and with the paths of the host's user shortened. */
export function engineMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [message = ''] = text.split(/\n+LINE \d+:/)
  return message
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll(homedir(), '~')
}

/** What DuckDB refused, as the error of a surface. Our own errors pass through, and so do those of a fault in the code. */
export function databaseError(error: unknown): unknown {
  // The driver throws plain errors and nothing more special.
  if (!(error instanceof Error) || error.constructor !== Error) return error
  return new GrainlineError('DATABASE_ERROR', engineMessage(error), { cause: error })
}
