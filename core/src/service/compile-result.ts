import type { Verdict } from '../cache/compile-cache.js'
import type { QueryObject } from '../query/query-object.js'
import type { CompiledQuery } from '../sql/compiled-query.js'
import type { CompileResult } from './asking.js'
import type { ModelHandle } from './held-models.js'

/** A question that was understood, and what it became. */
export interface Understood {
  readonly handle: ModelHandle
  readonly query: QueryObject
  readonly compiled: CompiledQuery
}

/** The verdict on a text that the database accepts, or is not asked about. */
export const VALID: Verdict = { valid: true, warnings: [] }

/**
 * What a caller gets of a compilation. A valid one that is asked of the same handle is the same value each time, so that surfaces can keep
 * what they make of it.
 */
export function resultOf(understood: Understood, { valid, warnings }: Verdict = VALID): CompileResult {
  if (!valid || warnings.length > 0) return made(understood, valid, [...understood.compiled.warnings, ...warnings])
  const results = resultsOf(understood.handle)
  const known = results.get(understood.compiled)
  if (known !== undefined) return known
  const result = made(understood, valid, understood.compiled.warnings)
  results.set(understood.compiled, result)
  return result
}

const made = (
  { handle, query, compiled }: Understood,
  sql_valid: boolean,
  warnings: CompileResult['warnings'],
): CompileResult => ({
  ...compiled,
  warnings,
  sql_valid,
  query,
  handle,
})

/** The results of a handle go when it goes: a kept compilation must not hold a model that was removed. */
function resultsOf(handle: ModelHandle): WeakMap<CompiledQuery, CompileResult> {
  const known = RESULTS.get(handle)
  if (known !== undefined) return known
  const results = new WeakMap<CompiledQuery, CompileResult>()
  RESULTS.set(handle, results)
  return results
}

const RESULTS = new WeakMap<ModelHandle, WeakMap<CompiledQuery, CompileResult>>()
