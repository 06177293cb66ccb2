/** Refusals of a statement, each at its place in the text. */
import { type ErrorCode, fail } from '@grainline/core'

export interface RefusalDetails {
  readonly at?: Place | undefined
  /** An equivalent statement, or part of one, that works. */
  readonly rewrite?: string
  readonly suggestions?: readonly string[]
  /** What to do, if no rewrite says it. */
  readonly hint?: string
  /** The clause at fault. */
  readonly clause?: string
}

/** Throws a refusal of the text: `context` carries its clause, `position` (counted from 1), line and column. */
export function refuse(
  code: ErrorCode,
  message: string,
  { at, rewrite, suggestions, hint = rewrite, clause }: RefusalDetails = {},
): never {
  return fail(code, rewrite === undefined ? message : `${message}; write ${rewrite}`, {
    path: 'sql',
    ...(hint !== undefined && { hint }),
    ...(suggestions !== undefined && suggestions.length > 0 && { suggestions }),
    context: { ...(clause !== undefined && { clause }), ...at },
  })
}

/** Refuses an unsupported clause. */
export function unsupported(clause: string, message: string, details: Omit<RefusalDetails, 'clause'> = {}): never {
  return refuse('UNSUPPORTED_SQL_FEATURE', message, { ...details, clause })
}

/** A place in the text. All numbers count from 1; `position` is in characters from the start. */
export interface Place {
  readonly position: number
  readonly line: number
  readonly column: number
}
