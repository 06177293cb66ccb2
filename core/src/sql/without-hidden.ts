import { type Finding, GrainlineError } from '../errors.js'
import { namesHidden, withoutHiddenNames } from '../hidden-name.js'
import type { CompiledQuery, Explain } from './compiled-query.js'

/** A compilation whose warnings and errors name nothing that is hidden. */
export function withoutHidden(compile: () => CompiledQuery): CompiledQuery {
  try {
    const compiled = compile()
    return {
      ...compiled,
      warnings: compiled.warnings.filter((warning) => !namesHidden(JSON.stringify(warning))),
      timeRanges: compiled.timeRanges.filter((range) => !namesHidden(JSON.stringify(range))),
      unchecked_columns: compiled.unchecked_columns.filter((name) => !namesHidden(name)),
      explain: () => explained(compiled),
    }
  } catch (error) {
    throw error instanceof GrainlineError ? shownError(error) : error
  }
}

/** Without the times of what is hidden. */
function explained({ explain }: CompiledQuery): Explain {
  const { time_ranges: ranges, ...rest } = explain()
  return { ...cleaned(rest), time_ranges: ranges.filter((range) => !namesHidden(JSON.stringify(range))) }
}

function shownError(error: GrainlineError): GrainlineError {
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
const cleaned = <T>(value: T): T => JSON.parse(withoutHiddenNames(JSON.stringify(value))) as T
