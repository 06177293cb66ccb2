import { type Finding, GrainlineError } from './errors.js'
import { namesHidden, withoutHiddenNames } from './hidden-name.js'

/** An error for somebody from whom fields are hidden: it names none of them. */
export function withoutHiddenError(error: unknown): unknown {
  if (!(error instanceof GrainlineError)) return error
  const { hint, suggestions, context, findings, ...details } = error.details
  return new GrainlineError(error.code, withoutHiddenNames(error.message), {
    ...details,
    ...(hint !== undefined && { hint: withoutHiddenNames(hint) }),
    ...(suggestions && { suggestions: suggestions.filter((name) => !namesHidden(name)) }),
    ...(context && { context: cleaned(context) }),
    ...(findings && { findings: findings.map(cleaned<Finding>) }),
  })
}

/** Plain data without the names. */
export const cleaned = <T>(value: T): T => JSON.parse(withoutHiddenNames(JSON.stringify(value))) as T
