import type { Verdict } from '../cache/compile-cache.js'
import { withholdsSql } from '../model/access.js'
import type { QueryObject } from '../query/query-object.js'
import type { CompiledQuery } from '../sql/compiled-query.js'
import { WeakPairs } from '../weak-pairs.js'
import type { CompileResult } from './asking.js'
import type { ModelHandle } from './held-models.js'
import { refuseSql, WITHHELD_WARNING } from './withheld.js'

/** A question that was understood, and what it became. */
export interface Understood {
  readonly handle: ModelHandle
  readonly query: QueryObject
  readonly compiled: CompiledQuery
}

/** The verdict on a text that the database accepts, or is not asked about. */
export const VALID: Verdict = { valid: true, warnings: [] }

/**
 * What a caller gets of a compilation. One of the same verdict that is asked of the same handle is the same value each time, so that surfaces can
 * keep what they make of it.
 */
export function resultOf(understood: Understood, verdict: Verdict = VALID): CompileResult {
  const { handle, compiled } = understood
  const known = RESULTS.get(handle, compiled)
  if (known?.verdict === verdict) return known.result
  const { valid, warnings } = verdict
  const result = made(understood, valid, warnings.length === 0 ? compiled.warnings : [...compiled.warnings, ...warnings])
  RESULTS.set(handle, compiled, { verdict, result })
  return result
}

interface Result {
  readonly verdict: Verdict
  readonly result: CompileResult
}

const made = (
  { handle, query, compiled }: Understood,
  sql_valid: boolean,
  warnings: CompileResult['warnings'],
): CompileResult => {
  const shown = { ...compiled, warnings, sql_valid, query, handle, withheld: false }
  // What the database says of the text would show parts of it.
  return withholdsSql(handle.model) ? { ...shown, ...WITHHELD, warnings: [...compiled.warnings, WITHHELD_WARNING] } : shown
}

const WITHHELD = { withheld: true, sql: '', explain: refuseSql, physical_tables: [], sql_valid: true } as const

/** The results of a handle go when it goes: a kept compilation must not hold a model that was removed. */
const RESULTS = new WeakPairs<ModelHandle, CompiledQuery, Result>()
