import type { CompileResult, Execution } from './asking.js'
import type { SqlCompileResult } from './sql-service.js'

/** Metadata of an answer, for formats that support it: texts by name, lists as JSON. Complete when the answer is `settled`. */
export function answerMetadata({
  compiled,
  outcome,
}: Execution<CompileResult | SqlCompileResult>): Readonly<Record<string, string>> {
  const { truncated, warnings, timezone, cache } = outcome()
  const { sql, dialect, resolved, physical_tables } = compiled
  const handles = 'handle' in compiled ? [compiled.handle] : compiled.modelQueries.map((each) => each.compiled.handle)
  return {
    ...(!compiled.withheld && {
      sql,
      physical_tables: JSON.stringify(physical_tables),
      resolved: JSON.stringify(resolved),
    }),
    dialect,
    timezone,
    model_id: [...new Set(handles.map((handle) => handle.modelId))].join(','),
    truncated: String(truncated),
    cached: String(cache?.cachedAt !== undefined),
    ...(cache && { ttl_seconds: String(cache.seconds), ttl_source: cache.source }),
    ...(cache?.cachedAt !== undefined && { cached_at: cache.cachedAt }),
    ...(cache?.limitingTable !== undefined && { ttl_limiting_table: cache.limitingTable }),
    warnings: JSON.stringify(warnings),
  }
}
