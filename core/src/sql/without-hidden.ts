import { namesHidden } from '../hidden-name.js'
import { cleaned, withoutHiddenError } from '../without-hidden-error.js'
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
    throw withoutHiddenError(error)
  }
}

/** Without the times of what is hidden. */
function explained({ explain }: CompiledQuery): Explain {
  const { time_ranges: ranges, ...rest } = explain()
  return { ...cleaned(rest), time_ranges: ranges.filter((range) => !namesHidden(JSON.stringify(range))) }
}
